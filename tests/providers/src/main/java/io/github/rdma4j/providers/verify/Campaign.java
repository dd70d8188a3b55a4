// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.verify;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/** Many scripts, as many at a time as there are peers, until one shows a difference. */
final class Campaign {
    private static final int CLOSING_SECONDS = 10;

    private final List<Script> scripts;
    private final BlockingQueue<Comparison.Peer> peers;
    private long operations;
    private long outputLines;

    /** What a script came to; of one without a difference the lines are not kept. */
    private record Outcome(long operations, long outputLines, Optional<Comparison> difference) {
        static Outcome of(Comparison comparison) {
            return new Outcome(
                    comparison.operations(),
                    comparison.java().size(),
                    Optional.of(comparison).filter(made -> made.difference().isPresent()));
        }
    }

    Campaign(List<Script> scripts, List<Comparison.Peer> peers) {
        this.scripts = scripts;
        this.peers = new LinkedBlockingQueue<>(peers);
    }

    /**
     * Compares, and returns a comparison with a difference if there is one.
     *
     * @param progress gets the number of operations compared so far, after each script
     */
    Optional<Comparison> run(LongConsumer progress) throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(peers.size());
        try {
            CompletionService<Outcome> outcomes = new ExecutorCompletionService<>(threads);
            submitAll(outcomes);
            for (int left = scripts.size(); left > 0; left--) {
                Outcome outcome = outcomes.take().get();
                operations += outcome.operations();
                outputLines += outcome.outputLines();
                progress.accept(operations);
                if (outcome.difference().isPresent()) {
                    return outcome.difference();
                }
            }
            return Optional.empty();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException(cause.getMessage(), cause);
        } finally {
            threads.shutdownNow();
            threads.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** The lines of scripts compared so far. */
    long operations() {
        return operations;
    }

    /** The lines compared so far: the operations and what came of them. */
    long outputLines() {
        return outputLines;
    }

    private void submitAll(CompletionService<Outcome> outcomes) {
        for (Script script : scripts) {
            outcomes.submit(() -> compare(script));
        }
    }

    private Outcome compare(Script script) throws IOException, InterruptedException {
        Comparison.Peer peer = peers.take();
        try {
            return Outcome.of(Comparison.of(script, peer));
        } catch (IOException | RuntimeException | AssertionError e) {
            throw new IOException(script + ": " + e, e);
        } finally {
            peers.add(peer);
        }
    }
}
