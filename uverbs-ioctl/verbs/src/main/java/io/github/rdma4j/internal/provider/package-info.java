// SPDX-License-Identifier: Apache-2.0
/**
 * The interfaces between the verbs and the data path of a driver. Programs that use RDMA do not need this package.
 *
 * <p>A {@link io.github.rdma4j.internal.provider.Provider} creates a {@link
 * io.github.rdma4j.internal.provider.DriverContext} for each open device, and the context creates queues, each by a
 * {@link io.github.rdma4j.internal.provider.Creation}, which is prepared before the command and finished after it. The
 * verbs call a ring under the lock of its queue, and pass it the views of this package: a ring reads work requests
 * through {@link io.github.rdma4j.internal.provider.SendView} and {@link
 * io.github.rdma4j.internal.provider.ReceiveRing.ReceiveView}, and writes completions through {@link
 * io.github.rdma4j.internal.provider.CompletionRing.CompletionSink}. The views belong to objects of the program and are
 * valid during the call only.
 *
 * <p>Base classes for the common parts of drivers: {@link io.github.rdma4j.internal.provider.CardProvider}, {@link
 * io.github.rdma4j.internal.provider.CountedSendRing}, {@link io.github.rdma4j.internal.provider.OrderedReceiveRing} and
 * {@link io.github.rdma4j.internal.provider.TaggedReceiveRing}.
 *
 * <p>The interfaces of this package may change at any time; they are not part of the public API.
 */
@NullMarked
package io.github.rdma4j.internal.provider;

import org.jspecify.annotations.NullMarked;
