// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

/**
 * How a driver's work requests name the destination of a datagram: what {@link DriverContext#addressHandle} has made, opaque to
 * the verbs. Immutable. A {@link SendView} hands it to a {@link SendRing} of the same context.
 */
public interface AddressVector {}
