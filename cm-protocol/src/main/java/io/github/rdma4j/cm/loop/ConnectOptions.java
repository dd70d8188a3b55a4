// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.dispatch.CompletionDispatchers;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Options of a connection, for {@link CmEventLoop#connect} and {@link CmRequest#accept}. Immutable.
 *
 * <pre>{@code
 * ConnectOptions.builder().timeout(limit).parameters(parameters).build()
 * }</pre>
 */
public final class ConnectOptions {
    /** A time limit of 10 s for each step, a queue pair by {@link QueuePairOptions#DEFAULT}, nothing to prepare. */
    public static final ConnectOptions DEFAULT = builder().build();

    private final Builder values;

    /** Chooses the options of a connection's queue pair, once its id knows its device. */
    @FunctionalInterface
    public interface QueuePairChoice {
        /** Runs on the loop's thread and must not wait. */
        QueuePairOptions of(CmId id) throws RdmaException;
    }

    /** Prepares a connection before the peer may send. */
    @FunctionalInterface
    public interface Preparation {
        /** A callback; an exception that it throws ends the connection and fails the future. */
        void prepare(CmConnection connection) throws Exception;
    }

    private ConnectOptions(Builder values) {
        this.values = values;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** A builder that starts with these options. */
    public Builder toBuilder() {
        return new Builder(values);
    }

    /** How long each step may take. */
    public Duration timeout() {
        return values.timeout;
    }

    /** The local address; empty for the address that leads to the peer. */
    public Optional<InetSocketAddress> source() {
        return Optional.ofNullable(values.source);
    }

    /** What the peer is told, private data included. */
    public ConnectionParameters parameters() {
        return values.parameters;
    }

    QueuePairChoice queuePair() {
        return values.queuePair;
    }

    Optional<CompletionDispatchers> dispatchers() {
        return Optional.ofNullable(values.dispatchers);
    }

    Optional<Preparation> preparation() {
        return Optional.ofNullable(values.preparation);
    }

    /** Collects options. Mutable; for one thread. */
    public static final class Builder {
        private Duration timeout = Duration.ofSeconds(10);
        private @Nullable InetSocketAddress source;
        private QueuePairChoice queuePair = id -> QueuePairOptions.DEFAULT;
        private ConnectionParameters parameters = ConnectionParameters.DEFAULT;
        private @Nullable CompletionDispatchers dispatchers;
        private @Nullable Preparation preparation;

        private Builder() {}

        private Builder(Builder other) {
            timeout = other.timeout;
            source = other.source;
            queuePair = other.queuePair;
            parameters = other.parameters;
            dispatchers = other.dispatchers;
            preparation = other.preparation;
        }

        /** How long each step may take: the address, the route, the peer's answer. More than zero; 10 s unless set. */
        public Builder timeout(Duration limit) {
            if (limit.isNegative() || limit.isZero()) {
                throw new IllegalArgumentException("timeout is " + limit + "; it must be more than zero");
            }
            timeout = limit;
            return this;
        }

        /** The local address; the address that leads to the peer unless set. Has no effect on accept. */
        public Builder source(InetSocketAddress address) {
            source = Objects.requireNonNull(address, "address");
            return this;
        }

        /** The queue pair. Missing completion queues are created for each connection. */
        public Builder queuePair(QueuePairOptions options) {
            Objects.requireNonNull(options, "options");
            queuePair = id -> options;
            return this;
        }

        /** The queue pair, by options that depend on the device, such as completion queues that connections share. */
        public Builder queuePair(QueuePairChoice choice) {
            queuePair = Objects.requireNonNull(choice, "choice");
            return this;
        }

        /**
         * Has the queue pair report to one of {@code those}: its completions go to handlers and futures, by {@link
         * CmConnection#asyncQp()}. The options of the queue pair name no completion queue then, and no shared receive queue.
         */
        public Builder dispatch(CompletionDispatchers those) {
            dispatchers = Objects.requireNonNull(those, "those");
            return this;
        }

        /** What the peer is told, private data included; {@link ConnectionParameters#DEFAULT} unless set. */
        public Builder parameters(ConnectionParameters values) {
            parameters = Objects.requireNonNull(values, "values");
            return this;
        }

        /**
         * Runs when the queue pair exists and before the peer hears of it, to post receives and register memory; nothing
         * unless set.
         */
        public Builder prepare(Preparation action) {
            preparation = Objects.requireNonNull(action, "action");
            return this;
        }

        public ConnectOptions build() {
            return new ConnectOptions(new Builder(this));
        }
    }
}
