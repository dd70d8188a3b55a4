// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

/** A signal of {@code signal(7)}, with Linux's number on amd64. */
public enum Signal {
    HUP(1),
    INT(2),
    QUIT(3),
    ABRT(6),
    KILL(9),
    USR1(10),
    SEGV(11),
    USR2(12),
    PIPE(13),
    ALRM(14),
    TERM(15),
    CONT(18),
    STOP(19);

    private final int number;

    Signal(int number) {
        this.number = number;
    }

    /** The number of the signal, such as 9 for {@link #KILL}. A command that the signal has killed has the status 128 plus this. */
    public int number() {
        return number;
    }
}
