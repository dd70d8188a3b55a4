// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.cm.Ece;
import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/** An {@link Ece} in the kernel's format. */
@KernelStruct(value = "struct rdma_ucm_ece", header = "rdma/rdma_user_cm.h")
public final class EceBytes {
    public static final int VENDOR_ID = 0; // __u32
    public static final int ATTR_MOD = 4; // __u32
    public static final int BYTES = 8;

    private EceBytes() {}

    public static void encode(Ece ece, ByteBuffer out, int base) {
        out.putInt(base + VENDOR_ID, ece.vendorId());
        out.putInt(base + ATTR_MOD, ece.attrMod());
    }

    public static Ece decode(ByteBuffer in, int base) {
        return new Ece(in.getInt(base + VENDOR_ID), in.getInt(base + ATTR_MOD));
    }
}
