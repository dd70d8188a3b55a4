// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.card;

/** The attributes of a queue pair that the device looks at, as MODIFY_QP sets them. */
public final class QpAttributes {
    /** How many times a peer without a receive is asked again; 7 is for ever. */
    static final int FOR_EVER = 7;

    private int state;
    private int destination;
    private int qkey;
    private int access;
    private int rnrRetry = FOR_EVER;
    private int reads = 1;

    /** {@code IBV_QPS_*}. */
    public int state() {
        return state;
    }

    public int destination() {
        return destination;
    }

    public int qkey() {
        return qkey;
    }

    int access() {
        return access;
    }

    int rnrRetry() {
        return rnrRetry;
    }

    /** Reads and atomics that may be under way at a time. */
    int reads() {
        return reads;
    }

    void state(int value) {
        state = value;
    }

    public void destination(int value) {
        destination = value;
    }

    public void qkey(int value) {
        qkey = value;
    }

    public void access(int value) {
        access = value;
    }

    public void rnrRetry(int value) {
        rnrRetry = value;
    }

    public void reads(int value) {
        reads = Math.max(1, value);
    }
}
