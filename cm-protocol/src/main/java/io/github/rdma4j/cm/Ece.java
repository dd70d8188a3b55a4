// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

/**
 * The options of enhanced connection establishment ({@code struct ibv_ece}), which the drivers of both sides negotiate
 * during connection setup.
 *
 * @param vendorId the id of the vendor that defines the options; 0 for no options
 * @param attrMod the options in the encoding of the vendor
 */
public record Ece(int vendorId, int attrMod) {
    /** No options. */
    public static final Ece NONE = new Ece(0, 0);
}
