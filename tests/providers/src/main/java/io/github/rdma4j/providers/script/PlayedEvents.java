// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import io.github.rdma4j.providers.script.PlayedQueues.Completions;
import io.github.rdma4j.providers.script.PlayedQueues.Pair;
import io.github.rdma4j.verbs.attr.AsyncEventType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What happens to a queue pair while nobody calls its verbs, or while somebody else polls. */
final class PlayedEvents {
    /** More than a poll finds. */
    private static final int MANY = 64;

    private static final List<AsyncEventType> FAILURES = List.of(
            AsyncEventType.QP_FATAL,
            AsyncEventType.QP_REQ_ERR,
            AsyncEventType.QP_ACCESS_ERR,
            AsyncEventType.PATH_MIG_ERR);

    private PlayedEvents() {}

    /** {@code async QP EVENT}: the program takes an asynchronous event of the queue pair, which the kernel has in ERR. */
    static void take(Pair of, int event) {
        if (FAILURES.contains(AsyncEventType.of(event)) && of.rings().failsByEvents()) {
            of.rings().failByEvent();
        }
    }

    /**
     * {@code race QP CQ}: a thread polls {@code cq} while another takes the queue pair out of both of its completion queues. Java
     * does so at the worst moment; nothing but what becomes of other queue pairs is shown.
     */
    static void forgetWhilePolled(Pair gone, Completions cq, Consumer<String> out, Player player) {
        List<String> others = new ArrayList<>();
        gone.forget(() -> others.addAll(polled(gone, cq, player)));
        others.forEach(out);
    }

    /** What is in {@code cq} of other queue pairs. */
    private static List<String> polled(Pair besides, Completions cq, Player player) {
        List<String> texts = new ArrayList<>();
        PlayedCompletion[] into = PlayedCompletion.array(MANY);
        for (int polled = MANY; polled == MANY; ) {
            polled = cq.ring().poll(into, PlayedCompletion.SINK);
            for (int i = 0; i < polled; i++) {
                if (into[i].qpNumber() != besides.number()) {
                    texts.add(player.text(into[i]));
                }
            }
        }
        return texts;
    }
}
