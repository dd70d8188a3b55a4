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
 * The options of a connection, for {@link CmEventLoop#connect} and {@link CmRequest#accept}. Immutable.
 *
 * <pre>{@code
 * ConnectOptions.builder().timeout(limit).parameters(parameters).build()
 * }</pre>
 */
public final class ConnectOptions {
    /** A time limit of 10 s for each step, a queue pair with {@link QueuePairOptions#DEFAULT}, and no preparation. */
    public static final ConnectOptions DEFAULT = builder().build();

    private final Builder values;

    /** Selects the options of a connection's queue pair, when the id's device is known. */
    @FunctionalInterface
    public interface QueuePairChoice {
        /** Returns the queue pair's options for {@code id}. Runs on the loop's thread and must not block. */
        QueuePairOptions of(CmId id) throws RdmaException;
    }

    /** Prepares a connection before the peer may send. */
    @FunctionalInterface
    public interface Preparation {
        /** Prepares {@code connection}. This is a callback; an exception ends the connection and fails the future. */
        void prepare(CmConnection connection) throws Exception;
    }

    private ConnectOptions(Builder values) {
        this.values = values;
    }

    /** Returns a builder in which every option has its default. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns a builder that starts with these options. */
    public Builder toBuilder() {
        return new Builder(values);
    }

    /** Returns the time limit of each step. */
    public Duration timeout() {
        return values.timeout;
    }

    /** Returns the local address; empty if the kernel selects it. */
    public Optional<InetSocketAddress> source() {
        return Optional.ofNullable(values.source);
    }

    /** Returns the parameters that are sent to the peer, including private data. */
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

    /** Builds options. Mutable; for one thread. */
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

        /**
         * Sets the time limit of each step: resolving the address, resolving the route, and the peer's answer. Must be
         * positive; 10 s by default.
         */
        public Builder timeout(Duration limit) {
            if (limit.isNegative() || limit.isZero()) {
                throw new IllegalArgumentException("the timeout is " + limit + "; it must be more than zero");
            }
            timeout = limit;
            return this;
        }

        /** Sets the local address; by default the kernel selects it. Ignored by accept. */
        public Builder source(InetSocketAddress address) {
            source = Objects.requireNonNull(address, "address");
            return this;
        }

        /** Sets the queue pair's options. Missing completion queues are created for each connection. */
        public Builder queuePair(QueuePairOptions options) {
            Objects.requireNonNull(options, "options");
            queuePair = id -> options;
            return this;
        }

        /**
         * Sets a function that selects the queue pair's options, for options that depend on the device, such as
         * completion queues that connections share.
         */
        public Builder queuePair(QueuePairChoice choice) {
            queuePair = Objects.requireNonNull(choice, "choice");
            return this;
        }

        /**
         * Creates the queue pair on one of the given dispatchers, which pass its completions to handlers and futures;
         * see {@link CmConnection#asyncQp()}. The queue pair's options must then contain neither a completion queue nor
         * a shared receive queue.
         */
        public Builder dispatch(CompletionDispatchers those) {
            dispatchers = Objects.requireNonNull(those, "those");
            return this;
        }

        /**
         * Sets the parameters that are sent to the peer, including private data; {@link ConnectionParameters#DEFAULT}
         * by default.
         */
        public Builder parameters(ConnectionParameters values) {
            parameters = Objects.requireNonNull(values, "values");
            return this;
        }

        /**
         * Sets an action that runs after the queue pair is created and before the peer can send, for example to
         * register memory and post receives; none by default.
         */
        public Builder prepare(Preparation action) {
            preparation = Objects.requireNonNull(action, "action");
            return this;
        }

        /** Returns the options. */
        public ConnectOptions build() {
            return new ConnectOptions(new Builder(this));
        }
    }
}
