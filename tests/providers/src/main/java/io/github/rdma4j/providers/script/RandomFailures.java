// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.script.RandomQueues.Cq;
import io.github.rdma4j.providers.script.RandomQueues.Pair;
import io.github.rdma4j.providers.script.RandomVerbs.AfterFailure;
import io.github.rdma4j.providers.script.RandomVerbs.End;
import io.github.rdma4j.providers.script.RandomVerbs.Outcome;
import io.github.rdma4j.providers.script.RandomVerbs.Sent;
import io.github.rdma4j.providers.script.RandomVerbs.Trait;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;

/**
 * How queue pairs of a random script fail: a request fails and the others are flushed, with other operations between the failure, the
 * move to ERR and the reset, some of which post to the queue pair.
 */
final class RandomFailures {
    private static final int MOST_BETWEEN = 20;

    /** Asynchronous events of queue pairs; some tell of a failure. */
    private static final List<Integer> EVENTS = List.of(1, 2, 3, 4, 5, 6, 7, 16);

    private final RandomScript script;
    private final RandomVerbs verbs;
    private final Random random;

    RandomFailures(RandomScript script, RandomVerbs verbs, Random random) {
        this.script = script;
        this.verbs = verbs;
        this.random = random;
    }

    void fail(Pair pair) throws RdmaException {
        if (verbs.facts().afterFailure() == AfterFailure.LIBRARY_LOSES && !makeRoom(pair)) {
            return;
        }
        script.completeSend(pair, Outcome.FAILED);
        script.completeReceive(pair, true);
        if (verbs.has(Trait.LOSES_FAILED_SENDS)) {
            pollUntil(pair.sendCq, () -> !pair.sendCq.has(pair));
        }
        switch (verbs.facts().afterFailure()) {
            case DEVICE_FLUSHES -> failWithDevice(pair);
            case PROCESS_FLUSHES -> failWithProcess(pair);
            case LIBRARY_LOSES -> failAlone(pair);
        }
        end(pair);
    }

    /** The device flushes whatever is posted. */
    private void failWithDevice(Pair pair) throws RdmaException {
        between(pair);
        if (random.nextBoolean()) {
            script.play("err " + pair.name);
            between(pair);
        }
        flush(pair);
        if (random.nextBoolean()) {
            script.poll(pair.sendCq, random.nextInt(60));
        }
    }

    /** The device may say that the queue pair has failed, or an event does; the process flushes. */
    private void failWithProcess(Pair pair) throws RdmaException {
        if (random.nextInt(4) == 0) {
            // The device itself flushes.
            flush(pair);
        }
        terminate(pair);
        between(pair);
        if (random.nextBoolean()) {
            script.play("err " + pair.name);
            between(pair);
            terminate(pair);
        }
    }

    private void terminate(Pair pair) throws RdmaException {
        End termination = verbs.termination();
        Cq cq = random.nextBoolean() ? pair.sendCq : pair.receiveCq;
        // libbnxt_re has no receives to flush for a queue pair with a shared receive queue.
        if (termination != null && pair.srq == null && !cq.isFull() && random.nextBoolean()) {
            script.complete(pair, cq, new Sent(0, 0), termination);
        }
    }

    /** 1 to 20 operations on a queue pair that has failed, and on others. */
    private void between(Pair pair) throws RdmaException {
        for (int i = 1 + random.nextInt(MOST_BETWEEN); i > 0; i--) {
            switch (random.nextInt(7)) {
                case 0, 1 -> script.send(pair);
                case 2 -> script.receive(pair);
                case 3 -> script.poll(random.nextBoolean() ? pair.sendCq : pair.receiveCq, random.nextInt(17));
                case 4 -> takeEvent(pair);
                case 5 -> flushOne(pair);
                default -> other(pair);
            }
        }
    }

    /** After an event libbnxt_re 56 looks for receives of the queue pair's own. */
    private void takeEvent(Pair pair) throws RdmaException {
        if (pair.srq == null) {
            script.play("async " + pair.name + " " + EVENTS.get(random.nextInt(EVENTS.size())));
        }
    }

    private void flushOne(Pair pair) throws RdmaException {
        if (verbs.facts().afterFailure() != AfterFailure.DEVICE_FLUSHES) {
            return;
        }
        if (random.nextBoolean()) {
            script.completeSend(pair, Outcome.FLUSHED);
        } else if (pair.srq == null) {
            script.completeReceive(pair, true);
        }
    }

    /** An operation of a queue pair that has not failed. */
    private void other(Pair failed) throws RdmaException {
        Pair pair = script.anyPair();
        if (pair == failed) {
            return;
        }
        switch (random.nextInt(4)) {
            case 0 -> script.send(pair);
            case 1 -> script.receive(pair);
            case 2 -> script.completeSend(pair, Outcome.SUCCESS);
            default -> script.completeReceive(pair, false);
        }
    }

    // ---- libraries that lose what is posted to a queue pair that has failed

    /**
     * What is posted after the device has flushed its queues never completes from the library in C; from the provider in Java it does,
     * as soon as the queue pair is in ERR. Nothing of it is compared, but all of it must complete.
     */
    private void failAlone(Pair pair) throws RdmaException {
        boolean posts = random.nextBoolean();
        if (!posts && !verbs.has(Trait.RESETS)) {
            script.play("err " + pair.name);
        }
        boolean flushed = flush(pair);
        if (!posts) {
            if (random.nextBoolean() && flushed) {
                script.poll(pair.sendCq, random.nextInt(60));
            }
            return;
        }
        pollUntil(pair.sendCq, () -> !pair.sendCq.has(pair));
        pollUntil(pair.receiveCq, () -> !pair.receiveCq.has(pair));
        script.play("quiet on");
        List<String> posted = new ArrayList<>(postUnseen(pair));
        script.play("failed " + pair.name);
        script.play("err " + pair.name);
        posted.addAll(postUnseen(pair));
        posted.removeAll(completed(pair));
        script.play("quiet off");
        if (!posted.isEmpty()) {
            throw new AssertionError("requests " + posted + " of " + pair.name
                    + " were posted after the device had failed it, and never complete in ERR");
        }
        pair.sent.clear();
        pair.posted = pair.received;
    }

    private List<String> postUnseen(Pair pair) throws RdmaException {
        List<String> ids = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            boolean sends = random.nextBoolean();
            if (!sends && pair.srq != null) {
                continue;
            }
            if (sends) {
                script.send(pair);
            } else {
                script.receive(pair);
            }
            ids.addAll(script.accepted());
        }
        return ids;
    }

    private List<String> completed(Pair pair) throws RdmaException {
        List<String> ids = new ArrayList<>();
        for (Cq cq : List.of(pair.sendCq, pair.receiveCq)) {
            List<String> polled;
            do {
                polled = script.pollAll(cq);
                polled.stream()
                        .filter(line -> line.startsWith("  completion "))
                        .forEach(line -> ids.add(line.trim().split(" ", -1)[1]));
            } while (polled.stream().anyMatch(line -> line.startsWith("  completion ")));
        }
        return ids;
    }

    // ---- the end

    private void end(Pair pair) throws RdmaException {
        if (!verbs.has(Trait.RESETS)) {
            script.destroy(pair);
            return;
        }
        script.takeShared(pair);
        if (pair.srq == null && pair.sendCq != pair.receiveCq && random.nextBoolean()) {
            Cq polled = random.nextInt(4) == 0 ? pair.sendCq : pair.receiveCq;
            script.play("race " + pair.name + " " + polled.name);
            polled.entries.clear();
        } else {
            script.play("reset " + pair.name);
        }
        script.forget(pair);
        pair.posted = 0;
        pair.received = 0;
        pair.sent.clear();
    }

    void pollUntil(Cq cq, BooleanSupplier done) throws RdmaException {
        while (!done.getAsBoolean()) {
            script.poll(cq, 1 + random.nextInt(16));
        }
    }

    /** Polls until an entry for each request fits: Java then has nothing to flush that nobody waits for. */
    private boolean makeRoom(Pair pair) throws RdmaException {
        // One that fails, and one that flushes the others.
        int sends = verbs.has(Trait.FLUSHES_AT_ONCE) ? 2 : pair.sent.size();
        int receives = verbs.has(Trait.FLUSHES_AT_ONCE) ? 2 : pair.srq == null ? pair.posted - pair.received : 1;
        if (pair.sendCq == pair.receiveCq) {
            return makeRoom(pair.sendCq, sends + receives);
        }
        return makeRoom(pair.sendCq, sends) && makeRoom(pair.receiveCq, receives);
    }

    private boolean makeRoom(Cq cq, int entries) throws RdmaException {
        pollUntil(cq, () -> cq.entries.isEmpty() || cq.entries.size() + entries <= cq.most);
        return entries <= cq.most;
    }

    /** False if Java may flush what the device does not. */
    private boolean flush(Pair pair) throws RdmaException {
        boolean flushed = !verbs.has(Trait.FLUSHES_AT_ONCE) || flushAtOnce(pair);
        while (!pair.sent.isEmpty() && !pair.sendCq.isFull()) {
            script.completeSend(pair, Outcome.FLUSHED);
        }
        boolean receives = verbs.has(Trait.FLUSHES_RECEIVES) && pair.srq == null;
        while (receives && pair.received < pair.posted && !pair.receiveCq.isFull()) {
            script.complete(pair, pair.receiveCq, new Sent(pair.received++ & 0xffff, 0), verbs.receiveFlush(random));
        }
        return flushed;
    }

    /** One entry flushes a queue. False without room for that of sends. */
    private boolean flushAtOnce(Pair pair) throws RdmaException {
        int sends = pair.sent.size();
        boolean room = sends == 0 || !pair.sendCq.isFull();
        if (sends > 0 && room) {
            script.completeSend(pair, Outcome.FLUSHED);
            pair.sendCq.repeat(sends - 1);
        }
        pair.sent.clear();
        int receives = pair.posted - pair.received;
        if (pair.srq == null && receives > 0 && !pair.receiveCq.isFull()) {
            script.complete(pair, pair.receiveCq, new Sent(pair.received, 0), verbs.receiveFlush(random));
            pair.receiveCq.repeat(receives - 1);
        }
        pair.received = pair.posted;
        return room;
    }
}
