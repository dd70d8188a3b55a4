// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

/**
 * How far each side has ended the connection, and what this side has to say about it. A side that has said {@link
 * Message#DISCONNECT} says nothing more; neither do two sides that have both said {@link Message#SHUTDOWN}.
 */
final class Ends {
    /** Stands for no message. */
    static final int NOTHING = -1;

    private boolean outputOpen = true;
    private boolean inputOpen = true;

    /** The peer has announced that no data follows. */
    private boolean peerShut;

    /** The peer has announced that it neither sends nor receives: its queue pair may be gone already. */
    private boolean peerDisconnected;

    /** The message that waits for a slot. */
    private int waiting = NOTHING;

    /** The numbers of the writes with {@link Message#SHUTDOWN} and {@link Message#DISCONNECT}; 0 before. */
    private long shutdown;

    private long disconnect;

    boolean outputOpen() {
        return outputOpen;
    }

    boolean inputOpen() {
        return inputOpen;
    }

    boolean peerShut() {
        return peerShut;
    }

    /** True if the peer listens no more to this side. */
    boolean peerGone() {
        return peerDisconnected || haveCrossed();
    }

    /** True if this side says nothing more. */
    boolean isOver() {
        return peerGone() || disconnect != 0;
    }

    /** True if both sides have said {@link Message#SHUTDOWN}; who knows of the other's says {@link Message#DISCONNECT}. */
    private boolean haveCrossed() {
        return shutdown != 0 && peerShut;
    }

    void shutOutput() {
        if (outputOpen) {
            outputOpen = false;
            waiting = inputOpen && !peerShut ? Message.SHUTDOWN : Message.DISCONNECT;
        }
    }

    void shutInput() {
        if (inputOpen) {
            inputOpen = false;
            if (!outputOpen) {
                waiting = Message.DISCONNECT;
            }
        }
    }

    void shutBoth() {
        outputOpen = false;
        inputOpen = false;
        waiting = Message.DISCONNECT;
    }

    /** The peer has shut down its output. It reads on, so a message that waits has to say that nobody sends any more. */
    void peerShutsOutput() {
        peerShut = true;
        if (waiting == Message.SHUTDOWN) {
            waiting = Message.DISCONNECT;
        }
    }

    void peerDisconnects() {
        peerShut = true;
        peerDisconnected = true;
    }

    /** The connection is broken: the peer hears nothing any more, and has not said that its stream is at the end. */
    void lose() {
        peerDisconnected = true;
    }

    /** The message that is to be sent, or {@link #NOTHING}. */
    int toSay() {
        return isOver() ? NOTHING : waiting;
    }

    /** The message {@link #toSay} was sent with the write of this number. */
    void said(long number) {
        if (waiting == Message.SHUTDOWN) {
            shutdown = number;
        } else {
            disconnect = number;
        }
        waiting = NOTHING;
    }

    /** True if nothing more has to reach the peer, when all writes up to {@code completed} have. */
    boolean isDrained(long completed) {
        if (peerDisconnected) {
            return true;
        }
        // A peer that has both messages may be gone before it gets a third.
        return isOver() && completed >= (haveCrossed() ? shutdown : disconnect);
    }

    @Override
    public String toString() {
        return (outputOpen ? "sends" : "has shut its output")
                + (inputOpen ? ", reads" : ", has shut its input")
                + (toSay() == NOTHING ? "" : ", has to say " + Message.toString(Message.of(Message.CTRL, toSay())))
                + (peerDisconnected ? ", the peer has disconnected" : peerShut ? ", the peer has shut its output" : "");
    }
}
