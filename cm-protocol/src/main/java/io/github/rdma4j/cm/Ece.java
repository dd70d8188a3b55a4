// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * Enhanced connection establishment: options that the drivers of both sides negotiate.
 *
 * <pre>{@code
 * struct rdma_ucm_ece {  // uapi/rdma/rdma_user_cm.h
 *     __u32 vendor_id;   // 0
 *     __u32 attr_mod;    // 4
 * };                     // 8
 * }</pre>
 *
 * @param vendorId the vendor, 0 for no options
 * @param attrMod the vendor's options
 */
@KernelStruct(value = "struct rdma_ucm_ece", header = "rdma/rdma_user_cm.h")
public record Ece(int vendorId, int attrMod) {
    /** No options. */
    public static final Ece NONE = new Ece(0, 0);

    public static final class Layout {
        public static final int VENDOR_ID = 0;
        public static final int ATTR_MOD = 4;
        public static final int BYTES = 8;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base) {
        out.putInt(base + Layout.VENDOR_ID, vendorId);
        out.putInt(base + Layout.ATTR_MOD, attrMod);
    }

    /** Reads the struct at {@code base} of a buffer in native order. */
    public static Ece decode(ByteBuffer in, int base) {
        return new Ece(in.getInt(base + Layout.VENDOR_ID), in.getInt(base + Layout.ATTR_MOD));
    }
}
