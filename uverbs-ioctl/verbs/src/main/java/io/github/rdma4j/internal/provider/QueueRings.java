// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.QpAttr;
import org.jspecify.annotations.Nullable;

/** The two queues of a queue pair. */
public interface QueueRings {
    /** The send queue; always the same object. */
    SendRing send();

    /** The receive queue; null when receives come from a shared receive queue, and for XRC. Always the same object. */
    @Nullable
    ReceiveRing receive();

    /** MODIFY_QP follows, with these attributes. For drivers whose queues depend on attributes, such as the port. */
    default void modify(QpAttr attributes) throws RdmaException {}

    /**
     * MODIFY_QP has succeeded with these attributes; {@link #reset} and {@link #fail} were called before, if the state was one of
     * theirs. Called under the locks of both queues, before a request can be posted in the new state. For drivers whose
     * elements depend on attributes, such as the numbers of packets.
     */
    default void modified(QpAttr attributes) {}

    /**
     * The queue pair was moved to RESET, which discards the posted requests. Called under the locks of both queues,
     * after {@link CompletionRing#forget} of both completion queues.
     */
    default void reset() {}

    /**
     * The queue pair was moved to ERR. Called under the locks of both queues after the command, and again if it is
     * moved once more.
     *
     * @return true if the completion rings flush what is still in these queues, and what is posted from now on, because
     *     the device does not; the verbs then notify the completion queues, for which the kernel has no event
     */
    default boolean fail() {
        return false;
    }

    /**
     * Whether the device completes nothing that is posted after it has failed the queue pair by itself, also when the queue pair is
     * moved to ERR. Before the command the verbs then ask the kernel whether that has happened, and call {@link #failedByDevice}.
     */
    default boolean losesAfterFailure() {
        return false;
    }

    /** The queue pair is in ERR before it is moved there. Called under the locks of both queues, before {@link #fail}. */
    default void failedByDevice() {}

    /**
     * Whether the device may tell of a failed queue pair by an asynchronous event alone. When the program takes such an event, the
     * verbs ask the kernel whether the queue pair is in ERR, and then call {@link #failByEvent}.
     */
    default boolean failsByEvents() {
        return false;
    }

    /**
     * The kernel reports the queue pair in ERR after an asynchronous event. Called under the locks of both queues. From now on the
     * completion rings flush what is in these queues, and what is posted; the verbs then notify the completion queues.
     */
    default void failByEvent() {}

    /**
     * Whether the device flushes a receive that is posted in ERR only when the queue pair is moved to ERR once more.
     * The verbs do so after each such receive.
     */
    default boolean flushesReceivesWhenMoved() {
        return false;
    }

    /**
     * Gives the memory back. Called once, under the locks of both queues, after {@link CompletionRing#forget} of both
     * completion queues. No other method is called afterwards.
     *
     * @param destroyed as for {@link Creation#abandon}
     */
    void retire(boolean destroyed);
}
