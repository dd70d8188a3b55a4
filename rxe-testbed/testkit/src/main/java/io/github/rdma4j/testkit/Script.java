// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;

/** The calls that a {@link ScriptedKernel} still expects, in one sequence for all threads, and the failures so far. */
final class Script {
    /** The effect and the result of a call. */
    @FunctionalInterface
    interface Answer {
        long to(long address, long length, int[] pollfds);
    }

    private record Step(String call, Answer answer) {}

    private final Deque<Step> steps = new ArrayDeque<>();
    private final List<AssertionError> failures = new ArrayList<>();
    private int played;

    synchronized void expect(String call, Answer answer) {
        steps.add(new Step(call, answer));
    }

    long play(String call) {
        return play(call, 0, 0, new int[0]);
    }

    long play(String call, long address, long length, int[] pollfds) {
        Answer answer = next(call);
        try {
            return answer.to(address, length, pollfds);
        } catch (AssertionError wrong) {
            throw remember(wrong);
        }
    }

    private synchronized Answer next(String call) {
        Step step = steps.poll();
        played++;
        if (step == null) {
            throw remember(new AssertionError("call " + played + " after the end of the script: " + call));
        }
        if (!step.call().equals(call)) {
            throw remember(
                    new AssertionError("call " + played + ": expected " + step.call() + " but the code made " + call));
        }
        return step.answer();
    }

    synchronized AssertionError remember(AssertionError failure) {
        failures.add(failure);
        return failure;
    }

    synchronized void assertAllConsumed() {
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
        if (!steps.isEmpty()) {
            throw new AssertionError("expected calls that the code did not make: "
                    + steps.stream().map(Step::call).collect(Collectors.joining(", ")));
        }
    }

    synchronized int remaining() {
        return steps.size();
    }

    // The names of calls.

    static String socket(int domain, int type, int protocol) {
        return "socket(" + domain + ", " + type + ", " + protocol + ")";
    }

    static String ioctl(int fd, long request) {
        return "ioctl(" + fd + ", 0x" + Long.toHexString(request) + ")";
    }

    static String mmap(int fd, long offset, long length) {
        return "mmap(" + fd + ", offset 0x" + Long.toHexString(offset) + ", " + length + " bytes)";
    }
}
