// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import static io.github.rdma4j.cli.verify.Check.CheckFailedException.expect;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** A queue pair with a completion queue, a completion channel, and a buffer that the peer may read and write. */
final class Side {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Duration LATE = Duration.ofMillis(500);
    private static final int EAGER_POLLS = 10_000;
    private static final long NAP_NANOS = 100_000;

    /** The bytes of a buffer before a message arrives. */
    private static final byte UNTOUCHED = 0x5a;

    final ProtectionDomain pd;
    final CompletionChannel channel;
    final CompletionQueue cq;
    final QueuePair qp;
    final ByteBuffer buffer;
    private final ByteBuffer untouched;
    final MemoryRegion region;
    private final WorkCompletion[] one = WorkCompletion.array(1);

    Side(DeviceContext context, ProtectionDomain pd, Wire.Setup setup, Set<Access> access) throws RdmaException {
        this.pd = pd;
        channel = context.createCompletionChannel();
        cq = context.createCq(setup.cqEntries(), 0, channel);
        qp = pd.createQp(setup.options()
                .apply(QueuePairOptions.builder().type(setup.type()).cq(cq))
                .build());
        buffer = ByteBuffer.allocateDirect(setup.bytes()).order(ByteOrder.nativeOrder());
        byte[] nothing = new byte[setup.bytes()];
        Arrays.fill(nothing, UNTOUCHED);
        untouched = ByteBuffer.wrap(nothing);
        region = pd.registerMr(buffer, access);
    }

    /** Fills the buffer with bytes derived from {@code seed}. */
    void fill(long seed) {
        byte[] bytes = new byte[buffer.capacity()];
        new Random(seed).nextBytes(bytes);
        buffer.put(0, bytes);
    }

    void clear() {
        buffer.put(0, untouched, 0, buffer.capacity());
    }

    void receive(long wrId, int at, int length) throws RdmaException {
        qp.postReceive(new ReceiveWorkRequest(1).wrId(wrId).add(region, at, length));
    }

    /** Returns a signaled request for the start of the buffer. */
    SendWorkRequest request(long wrId, int length) {
        return new SendWorkRequest(1).wrId(wrId).signaled().add(region, 0, length);
    }

    /** Returns a signaled send of inline data from the start of the buffer. */
    SendWorkRequest inline(long wrId, int length) {
        return new SendWorkRequest(0)
                .wrId(wrId)
                .send()
                .inline(buffer.slice(0, length))
                .signaled();
    }

    void post(SendWorkRequest request) throws RdmaException {
        qp.postSend(request);
    }

    void send(long wrId, int length) throws RdmaException {
        post(request(wrId, length).send());
    }

    /** Polls for the next completion, whatever its status. */
    WorkCompletion completion() throws Check.CheckFailedException {
        return next(cq, one);
    }

    /** Polls a queue for one completion. */
    static WorkCompletion next(CompletionQueue queue, WorkCompletion[] one) throws Check.CheckFailedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        for (int polls = 0; queue.poll(one) == 0; polls++) {
            expect(
                    System.nanoTime() < deadline && !Thread.currentThread().isInterrupted(),
                    "no completion in " + LIMIT.toSeconds() + " s");
            pause(polls);
        }
        return one[0];
    }

    /** Pauses between polls, because a software device needs the processor. */
    private static void pause(int polls) {
        if (polls < EAGER_POLLS) {
            Thread.onSpinWait();
        } else {
            LockSupport.parkNanos(NAP_NANOS);
        }
    }

    /** Returns the next completion, which must be the success of the work request. */
    WorkCompletion success(long wrId) throws Check.CheckFailedException {
        WorkCompletion completion = completion();
        expect(completion.isSuccess(), "the completion is " + completion);
        expect("wr_id", completion.wrId(), wrId);
        expect("QP number", completion.qpNumber(), qp.qpn());
        return completion;
    }

    /** Expects a failure with one of the statuses as the next completion; returns the status. */
    String failure(long wrId, String... statuses) throws Check.CheckFailedException {
        WorkCompletion completion = completion();
        String status = completion.statusName();
        expect(
                Arrays.asList(statuses).contains(status),
                "the status is " + status + " and should be " + String.join(" or ", statuses) + ": " + completion);
        expect("wr_id", completion.wrId(), wrId);
        return status;
    }

    /** Takes all available completions; drivers differ in the completions left of a destroyed queue pair. */
    void drain() {
        while (cq.poll(one) > 0) {
            // the completions are dropped
        }
    }

    void expectNoCompletion() throws Check.CheckFailedException {
        expect(cq.poll(one) == 0, "an unexpected completion: " + one[0]);
    }

    /** Expects the first {@code length} bytes of {@code from} at {@code at}, and nothing else. */
    void expectBytes(Side from, int at, int length) throws Check.CheckFailedException {
        long deadline = System.nanoTime() + LATE.toNanos();
        // data written by the peer may become visible after its completion
        for (int polls = 0; firstDifference(from, at, length) >= 0 && System.nanoTime() < deadline; polls++) {
            pause(polls);
        }
        int different = firstDifference(from, at, length);
        expect(different < 0, "of " + length + " bytes, byte " + different + " is wrong");
        expectUntouched(0, at);
        expectUntouched(at + length, buffer.capacity());
    }

    private void expectUntouched(int from, int end) throws Check.CheckFailedException {
        int touched = buffer.slice(from, end - from).mismatch(untouched.slice(from, end - from));
        expect(touched < 0, "byte " + (from + touched) + " outside of the message was overwritten");
    }

    private int firstDifference(Side from, int at, int length) {
        return buffer.slice(at, length).mismatch(from.buffer.slice(0, length));
    }
}
