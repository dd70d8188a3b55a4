// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.QpAttr;
import org.jspecify.annotations.Nullable;

/** The two queues of a queue pair. */
public interface QueueRings {
    /** The send queue; always the same object. */
    SendRing send();

    /** The receive queue; null with a shared receive queue and for XRC. Always the same object. */
    @Nullable
    ReceiveRing receive();

    /**
     * Called before MODIFY_QP with these attributes. For drivers whose queues depend on attributes, such as the port.
     */
    default void modify(QpAttr attributes) throws RdmaException {}

    /**
     * Called after MODIFY_QP has succeeded with these attributes, and after {@link #reset} or {@link #fail} for the
     * states RESET and ERR. Called under the locks of both queues, before a request can be posted in the new state. For
     * drivers whose elements depend on attributes, such as the numbers of packets.
     */
    default void modified(QpAttr attributes) {}

    /**
     * Called after the queue pair was moved to RESET, which discards the posted requests; under the locks of both
     * queues, after {@link CompletionRing#forget} of both completion queues.
     */
    default void reset() {}

    /**
     * Called after the queue pair was moved to ERR, and after each repeated move, under the locks of both queues.
     *
     * @return true if the completion rings flush the remaining and later requests, because the device does not; the
     *     verbs then notify the completion queues, because the kernel has no event for them
     */
    default boolean fail() {
        return false;
    }

    /**
     * True if the device completes no request that is posted after the device itself has failed the queue pair, even
     * after the queue pair is moved to ERR. Before that command, the verbs then query whether the queue pair has
     * failed, and call {@link #failedByDevice}.
     */
    default boolean losesAfterFailure() {
        return false;
    }

    /**
     * Called if the queue pair is in ERR before it is moved there; under the locks of both queues, before {@link
     * #fail}.
     */
    default void failedByDevice() {}

    /**
     * True if the device may report a failed queue pair by an asynchronous event alone. When the program takes such an
     * event, the verbs query whether the queue pair is in ERR, and then call {@link #failByEvent}.
     */
    default boolean failsByEvents() {
        return false;
    }

    /**
     * Called if the queue pair is in ERR after an asynchronous event, under the locks of both queues. From then on, the
     * completion rings flush the remaining and later requests; the verbs then notify the completion queues.
     */
    default void failByEvent() {}

    /**
     * True if the device flushes a receive posted in ERR only when the queue pair is moved to ERR again. The verbs do
     * so after each such receive.
     */
    default boolean flushesReceivesWhenMoved() {
        return false;
    }

    /**
     * Releases the memory. Called once, under the locks of both queues, after {@link CompletionRing#forget} of both
     * completion queues. No other method is called afterwards.
     *
     * @param destroyed as for {@link Creation#abandon}
     */
    void retire(boolean destroyed);
}
