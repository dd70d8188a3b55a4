// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

/** The 32 bits that come with every message: the operation in the upper 3, its number in the lower 29. */
public final class Message {
    /** Bytes were written to the memory that was offered; the number counts them: {@code RS_OP_DATA}. */
    public static final int DATA = 0;

    /** An old name of data, which nobody sends: {@code RS_OP_RSVD_DATA_MORE}. */
    static final int DATA_MORE = 1;

    /** Nobody sends it: {@code RS_OP_WRITE}. */
    static final int WRITE = 2;

    /** Memory is offered, or credits only; the number is the count of messages allowed so far: {@code RS_OP_SGL}. */
    public static final int SGL = 4;

    /** A window was written to the table; the number is its place: {@code RS_OP_IOMAP_SGL}. */
    public static final int IOMAP = 6;

    /** The number is one of the constants of {@code RS_CTRL_*}: {@code RS_OP_CTRL}. */
    public static final int CTRL = 7;

    /** The sender neither sends nor receives any more: {@code RS_CTRL_DISCONNECT}. */
    public static final int DISCONNECT = 0;

    /** A sign of life: {@code RS_CTRL_KEEPALIVE}. */
    public static final int KEEPALIVE = 1;

    /** The sender sends no more: {@code RS_CTRL_SHUTDOWN}. */
    public static final int SHUTDOWN = 2;

    /** The largest number. */
    public static final int MAX_NUMBER = (1 << 29) - 1;

    private static final int SHIFT = 29;

    private Message() {}

    /** Returns the 32 bits. */
    public static int of(int operation, int number) {
        return (operation << SHIFT) | (number & MAX_NUMBER);
    }

    /** Returns the operation, 0 to 7. */
    public static int operation(int message) {
        return message >>> SHIFT;
    }

    /** Returns the number, 0 to {@link #MAX_NUMBER}. */
    public static int number(int message) {
        return message & MAX_NUMBER;
    }

    /** Returns a message as a word for errors and logs. */
    static String toString(int message) {
        String name = switch (operation(message)) {
            case DATA -> "DATA";
            case SGL -> "SGL";
            case IOMAP -> "IOMAP_SGL";
            case CTRL -> "CTRL";
            default -> "operation " + operation(message);
        };
        return name + " " + number(message);
    }
}
