// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import io.github.rdma4j.internal.provider.SendView.AddressVector;

/**
 * The destination of datagrams.
 *
 * @param id the device's number of it, which the kernel gave
 */
record BnxtAddress(int id) implements AddressVector {}
