// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.fabric;

import java.nio.ByteBuffer;

/** The header of a management datagram, and the fields of subnet management; a view of the bytes of a packet. */
record Mad(ByteBuffer bytes, int start) {
    static final int BYTES = 256;
    static final int DATA_BYTES = 64;

    static final int LID_ROUTED = 0x01;
    static final int DIRECTED_ROUTE = 0x81;
    static final int PERFORMANCE = 0x04;
    static final int ADMINISTRATION = 0x03;

    static final int GET = 1;
    static final int SET = 2;
    static final int TRAP = 5;
    static final int TRAP_REPRESS = 7;
    static final int GET_RESPONSE = 0x81;

    static final int BAD_VERSION = 0x04;
    static final int UNSUPPORTED_ATTRIBUTE = 0x0c;
    static final int INVALID_VALUE = 0x1c;

    /** The data of subnet management and of performance management. */
    static final int DATA = 64;

    private static final int CLASS_PORT_INFO = 0x0001;

    /** CapabilityMask2 of ClassPortInfo in the data of subnet administration, above the 5 bits of the response time. */
    private static final int CAPABILITIES = 60;

    private static final int RESPONSE_TIME_BITS = 5;
    private static final int MOST_HOPS = 63;
    private static final int NO_LID = 0xffff;
    private static final int DIRECTION = 0x8000;
    private static final int STATUS = 4;
    private static final int HOP_POINTER = 6;
    private static final int HOP_COUNT = 7;
    private static final int TRANSACTION = 8;
    private static final int ATTRIBUTE = 16;
    private static final int MODIFIER = 20;
    private static final int KEY = 24;
    private static final int DIRECTED_SLID = 32;
    private static final int DIRECTED_DLID = 34;
    private static final int INITIAL_PATH = 128;
    private static final int RETURN_PATH = 192;

    /** A new datagram. */
    static Mad of(int managementClass, int method, int attribute, int modifier, long transaction) {
        Mad mad = new Mad(ByteBuffer.allocate(BYTES), 0);
        mad.bytes
                .put(0, (byte) 1)
                .put(1, (byte) managementClass)
                .put(2, (byte) 1)
                .put(3, (byte) method);
        mad.bytes.putLong(TRANSACTION, transaction).putShort(ATTRIBUTE, (short) attribute);
        mad.bytes.putInt(MODIFIER, modifier);
        return mad;
    }

    /** A copy of the bytes of this datagram. */
    byte[] toBytes() {
        byte[] copy = new byte[BYTES];
        bytes.get(start, copy);
        return copy;
    }

    /** The bytes from an offset of this datagram on; changes are seen. */
    ByteBuffer slice(int offset, int length) {
        return bytes.slice(start + offset, length);
    }

    int managementClass() {
        return unsignedByte(1);
    }

    int classVersion() {
        return unsignedByte(2);
    }

    int method() {
        return unsignedByte(3);
    }

    void method(int method) {
        bytes.put(start + 3, (byte) method);
    }

    int status() {
        return unsignedShort(STATUS);
    }

    void fail(int status) {
        bytes.putShort(start + STATUS, (short) (status() | status));
    }

    long transaction() {
        return bytes.getLong(start + TRANSACTION);
    }

    int attribute() {
        return unsignedShort(ATTRIBUTE);
    }

    int modifier() {
        return bytes.getInt(start + MODIFIER);
    }

    long key() {
        return bytes.getLong(start + KEY);
    }

    /** Whether this is the ClassPortInfo of subnet administration. */
    boolean isAdministrationInfo() {
        return managementClass() == ADMINISTRATION && method() == GET_RESPONSE && attribute() == CLASS_PORT_INFO;
    }

    /** Clears bits of CapabilityMask2. */
    void hideCapabilities(int bits) {
        int word = bytes.getInt(start + CAPABILITIES);
        bytes.putInt(start + CAPABILITIES, word & ~(bits << RESPONSE_TIME_BITS));
    }

    // ---- directed routes ---------------------------------------------------------------------------------------

    boolean returns() {
        return (status() & DIRECTION) != 0;
    }

    void turnBack() {
        bytes.putShort(start + STATUS, (short) (status() | DIRECTION));
    }

    int hopPointer() {
        return unsignedByte(HOP_POINTER);
    }

    void hopPointer(int value) {
        bytes.put(start + HOP_POINTER, (byte) value);
    }

    int hopCount() {
        return unsignedByte(HOP_COUNT);
    }

    /** Whether the hops are within the bytes of a path. */
    boolean hasGoodHops() {
        return hopCount() <= MOST_HOPS && hopPointer() <= hopCount() + 1;
    }

    /** Whether the whole route is directed, with no part before or after it that follows LIDs. */
    boolean isAllDirected() {
        return unsignedShort(DIRECTED_SLID) == NO_LID && unsignedShort(DIRECTED_DLID) == NO_LID;
    }

    int initialPath(int hop) {
        return unsignedByte(INITIAL_PATH + hop);
    }

    int returnPath(int hop) {
        return unsignedByte(RETURN_PATH + hop);
    }

    void returnPath(int hop, int port) {
        bytes.put(start + RETURN_PATH + hop, (byte) port);
    }

    private int unsignedByte(int offset) {
        return bytes.get(start + offset) & 0xff;
    }

    private int unsignedShort(int offset) {
        return bytes.getShort(start + offset) & 0xffff;
    }
}
