// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.flight;

/** What happened at a queue, counted under the queue's locks: a counter is written under one lock only. */
public final class QueueCounters {
    private long sends;
    private long sendCalls;
    private long receives;
    private long polls;
    private long emptyPolls;
    private long completions;

    /** A call that posted {@code count} send requests, with one doorbell. */
    public void sent(int count) {
        sends += count;
        sendCalls++;
    }

    /** A call that posted a receive request. */
    public void received() {
        receives++;
    }

    /** A poll that took {@code count} completions. */
    public void polled(int count) {
        polls++;
        completions += count;
        if (count == 0) {
            emptyPolls++;
        }
    }

    public long sends() {
        return sends;
    }

    public long sendCalls() {
        return sendCalls;
    }

    public long receives() {
        return receives;
    }

    public long polls() {
        return polls;
    }

    public long emptyPolls() {
        return emptyPolls;
    }

    public long completions() {
        return completions;
    }
}
