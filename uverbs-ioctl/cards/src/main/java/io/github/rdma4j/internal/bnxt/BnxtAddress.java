// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import io.github.rdma4j.internal.provider.SendView.AddressVector;

/**
 * The destination of datagrams.
 *
 * @param id the device's number of the address handle, assigned by the kernel
 */
record BnxtAddress(int id) implements AddressVector {}
