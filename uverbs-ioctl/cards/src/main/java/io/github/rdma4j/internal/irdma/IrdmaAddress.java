// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.provider.SendView.AddressVector;

/**
 * The destination of datagrams.
 *
 * @param id the device's number of the address handle, assigned by the kernel
 */
record IrdmaAddress(int id) implements AddressVector {}
