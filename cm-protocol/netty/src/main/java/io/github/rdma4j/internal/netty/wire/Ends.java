// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty.wire;

/**
 * How far each side has ended the connection, and what this side has to say about it. Two sides that have both said END
 * say nothing more: the one that has both may be gone.
 */
final class Ends {
    /** Stands for no message. */
    static final int NOTHING = 0;

    private boolean outputOpen = true;
    private boolean inputOpen = true;
    private boolean peerEnded;
    private boolean peerGone;

    /** The numbers of the messages END and BYE; 0 before. */
    private long end;

    private long bye;

    boolean outputOpen() {
        return outputOpen;
    }

    boolean inputOpen() {
        return inputOpen;
    }

    /** True if no more bytes come from the peer. */
    boolean peerEnded() {
        return peerEnded;
    }

    /** True if the peer listens no more to this side. */
    boolean peerGone() {
        return peerGone || haveCrossed();
    }

    private boolean haveCrossed() {
        return end != 0 && peerEnded;
    }

    void shutOutput() {
        outputOpen = false;
    }

    void shutInput() {
        inputOpen = false;
    }

    void peerEnds() {
        peerEnded = true;
    }

    void peerLeaves() {
        peerEnded = true;
        peerGone = true;
    }

    /** The connection is broken: the peer hears nothing any more, and has not said that its bytes are at the end. */
    void lose() {
        peerGone = true;
    }

    /** True if this side says nothing more. */
    boolean isOver() {
        return peerGone() || bye != 0;
    }

    /** The message that is to be sent, or {@link #NOTHING}. */
    int toSay() {
        if (outputOpen || isOver()) {
            return NOTHING;
        }
        if (!inputOpen) {
            return Header.BYE;
        }
        return end == 0 ? Header.END : NOTHING;
    }

    /** The message {@link #toSay} was sent with this number. */
    void said(int type, long number) {
        if (type == Header.BYE) {
            bye = number;
        } else {
            end = number;
        }
    }

    /** True if nothing more has to reach the peer, when all messages up to {@code completed} have. */
    boolean isDrained(long completed) {
        return peerGone || (isOver() && completed >= (bye != 0 ? bye : end));
    }

    @Override
    public String toString() {
        return (outputOpen ? "sends" : "has shut its output")
                + (inputOpen ? ", reads" : ", has shut its input")
                + (toSay() == NOTHING ? "" : ", has to say " + Header.toString(toSay()))
                + (peerGone ? ", the peer is gone" : peerEnded ? ", the peer has ended its output" : "");
    }
}
