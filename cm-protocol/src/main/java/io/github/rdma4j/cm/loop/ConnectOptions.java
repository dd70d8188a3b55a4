// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Options of a connection, for {@link CmEventLoop#connect} and {@link CmRequest#accept}. Mutable; for one thread. Copied when
 * passed to connect or accept: later changes have no effect.
 */
public final class ConnectOptions {
    /** The time limit of each step unless set. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

    private Duration timeout = DEFAULT_TIMEOUT;
    private @Nullable InetSocketAddress source;
    private QueuePairChoice queuePair = id -> QueuePairOptions.DEFAULT;
    private ConnectionParameters parameters = ConnectionParameters.DEFAULT;
    private @Nullable Preparation preparation;

    /** What the queue pair of a connection is to be, once its id knows its device. */
    @FunctionalInterface
    public interface QueuePairChoice {
        /** Runs on the loop's thread and must not wait. */
        QueuePairOptions of(CmId id) throws RdmaException;
    }

    /** What is done with a connection before the peer may send. */
    @FunctionalInterface
    public interface Preparation {
        /** A callback; what it throws ends the connection, and is what the future fails with. */
        void prepare(CmConnection connection) throws Exception;
    }

    /** How long each step may take: the address, the route, the peer's answer. */
    public ConnectOptions timeout(Duration limit) {
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException("a timeout of " + limit);
        }
        timeout = limit;
        return this;
    }

    /** The local address; the one that leads to the peer unless set. Of no effect on accept. */
    public ConnectOptions source(InetSocketAddress address) {
        source = Objects.requireNonNull(address, "address");
        return this;
    }

    /** The queue pair; without completion queues, it gets some of its own. */
    public ConnectOptions queuePair(QueuePairOptions options) {
        Objects.requireNonNull(options, "options");
        queuePair = id -> options;
        return this;
    }

    /** The same, for options that depend on the device, such as completion queues that connections share. */
    public ConnectOptions queuePair(QueuePairChoice choice) {
        queuePair = Objects.requireNonNull(choice, "choice");
        return this;
    }

    /** What to tell the peer, private data among it; {@link ConnectionParameters#DEFAULT} unless set. */
    public ConnectOptions parameters(ConnectionParameters values) {
        parameters = Objects.requireNonNull(values, "values");
        return this;
    }

    /** What to do when the queue pair is there and before the peer hears of it: post receives, register memory. */
    public ConnectOptions prepare(Preparation action) {
        preparation = Objects.requireNonNull(action, "action");
        return this;
    }

    ConnectOptions copy() {
        ConnectOptions copy = new ConnectOptions();
        copy.timeout = timeout;
        copy.source = source;
        copy.queuePair = queuePair;
        copy.parameters = parameters;
        copy.preparation = preparation;
        return copy;
    }

    Duration timeout() {
        return timeout;
    }

    @Nullable
    InetSocketAddress source() {
        return source;
    }

    QueuePairChoice queuePair() {
        return queuePair;
    }

    ConnectionParameters parameters() {
        return parameters;
    }

    @Nullable
    Preparation preparation() {
        return preparation;
    }
}
