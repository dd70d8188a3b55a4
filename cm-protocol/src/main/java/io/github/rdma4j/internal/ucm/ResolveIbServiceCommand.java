// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Asks subnet administration for the ports that offer a service.
 *
 * <pre>{@code
 * struct rdma_ucm_resolve_ib_service {  // uapi/rdma/rdma_user_cm.h, RDMA_USER_CM_CMD_RESOLVE_IB_SERVICE
 *     __u32 id;                         //  0
 *     __u32 reserved;                   //  4
 *     __aligned_u64 ibs.service_id;     //  8
 *     __u8 ibs.service_name[64];        // 16
 *     __u32 ibs.flags;                  // 80  RDMA_USER_CM_IB_SERVICE_FLAG_*
 *     __u32 ibs.reserved;               // 84
 * };                                    // 88
 * }</pre>
 *
 * @param id the id
 * @param serviceId the service's number, when the flags say so
 * @param serviceName the service's name, at most 63 bytes, when the flags say so
 * @param flags what is given: {@link LaterCommands#RDMA_USER_CM_IB_SERVICE_FLAG_ID} or {@code _NAME}
 */
@KernelStruct(value = "struct rdma_ucm_resolve_ib_service", header = "rdma/rdma_user_cm.h", since = "6.18")
public record ResolveIbServiceCommand(int id, long serviceId, String serviceName, int flags) {
    /** Bytes of a name, without the zero at its end. */
    public static final int MAX_NAME = 63;

    public static final class Layout {
        public static final int ID = 0;
        public static final int RESERVED = 4;

        @CName("ibs.service_id")
        public static final int SERVICE_ID = 8;

        @CName("ibs.service_name")
        public static final int SERVICE_NAME = 16;

        @CName("ibs.flags")
        public static final int FLAGS = 80;

        @CName("ibs.reserved")
        public static final int RESERVED1 = 84;

        public static final int BYTES = 88;

        private Layout() {}
    }

    /** Throws {@link IllegalArgumentException} for a name that is too long. */
    public ResolveIbServiceCommand {
        if (bytes(serviceName).length > MAX_NAME) {
            throw new IllegalArgumentException("a service name of more than " + MAX_NAME + " bytes: " + serviceName);
        }
    }

    private static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base) {
        StructFields.zero(out, base, Layout.BYTES);
        out.putInt(base + Layout.ID, id);
        out.putLong(base + Layout.SERVICE_ID, serviceId);
        out.put(base + Layout.SERVICE_NAME, bytes(serviceName));
        out.putInt(base + Layout.FLAGS, flags);
    }
}
