// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

/**
 * Options of enhanced connection establishment ({@code struct ibv_ece}), which the drivers of both sides negotiate while a
 * connection is set up.
 *
 * @param vendorId the vendor that defines the options, 0 for no options
 * @param attrMod the options as the vendor encodes them
 */
public record Ece(int vendorId, int attrMod) {
    /** No options. */
    public static final Ece NONE = new Ece(0, 0);
}
