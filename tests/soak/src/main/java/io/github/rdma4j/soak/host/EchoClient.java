// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.kernel.RdmaException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Clients of the echo servers: every reply must equal its message, and every request must complete exactly once. */
public final class EchoClient {
    /** For each completion and each echo. */
    private static final Duration ECHO = Duration.ofSeconds(30);

    private final InetSocketAddress server;
    private final int messages;
    private final long seed;
    private final Violations violations;

    /** A client that sends so many messages, whose bytes the seed decides. */
    public EchoClient(InetSocketAddress server, int messages, long seed, Violations violations) {
        this.server = server;
        this.messages = messages;
        this.seed = seed;
        this.violations = violations;
    }

    /** One connection of a loop. */
    public void runOn(CmEventLoop loop) throws RdmaException, InterruptedException, DataMismatchException {
        try (CmConnection connection =
                loop.await(loop.connect(server, EchoEnd.options(violations)), EchoEnd.STEP.multipliedBy(3))) {
            EchoEnd end = EchoEnd.of(connection);
            end.exchange(messages, new Random(seed), ECHO);
            end.sayFarewell(ECHO);
            connection.disconnect().get(EchoEnd.STEP.toSeconds(), TimeUnit.SECONDS);
            end.settle();
        } catch (ExecutionException | TimeoutException e) {
            throw new RdmaException("disconnecting: " + e, e);
        }
    }

    /** One blocking id. */
    public void runBlocking() throws RdmaException, InterruptedException, DataMismatchException {
        try (BlockingCmId id = BlockingCmId.create(PortSpace.TCP)) {
            id.resolveAddress(server, EchoEnd.STEP);
            id.resolveRoute(EchoEnd.STEP);
            id.id().createQp(EchoEnd.queuePair());
            try (EchoEnd end = new EchoEnd(id.id(), violations)) {
                id.connect(ConnectionParameters.DEFAULT, EchoEnd.STEP);
                end.exchange(messages, new Random(seed), ECHO);
                end.sayFarewell(ECHO);
                id.disconnect(EchoEnd.STEP);
                end.settle();
            }
        }
    }

    /** An echo differs from its message. */
    public static final class DataMismatchException extends Exception {
        private static final long serialVersionUID = 1L;

        DataMismatchException(String message) {
            super(message);
        }
    }
}
