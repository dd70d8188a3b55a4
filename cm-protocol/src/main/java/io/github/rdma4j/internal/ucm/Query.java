// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.ucm.SockAddr.SockaddrIb;
import io.github.rdma4j.internal.uverbs.GidBytes;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.PathRecord;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Queries addresses, paths and GIDs of an id. */
public final class Query {
    /** The {@code ibdevIndex} for no device, or from a kernel that does not report it. */
    public static final int NO_INDEX = 0xffff_ffff;

    private Query() {}

    /** Queries the addresses, the paths or the GIDs of an id. */
    @KernelStruct(value = "struct rdma_ucm_query", header = "rdma/rdma_user_cm.h")
    public record QueryCommand(int id, int option) {
        public static final int RESPONSE = 0; // __aligned_u64: address of the reply
        public static final int ID = 8; // __u32
        public static final int OPTION = 12; // __u32: RDMA_USER_CM_QUERY_*
        public static final int BYTES = 16;

        public void encode(ByteBuffer out, int base, long response) {
            out.putLong(base + RESPONSE, response);
            out.putInt(base + ID, id);
            out.putInt(base + OPTION, option);
        }
    }

    /** The queries of {@link QueryCommand}. */
    @KernelConstants("rdma/rdma_user_cm.h")
    public static final class QueryOptions {
        public static final int RDMA_USER_CM_QUERY_ADDR = 0;
        public static final int RDMA_USER_CM_QUERY_PATH = 1;
        public static final int RDMA_USER_CM_QUERY_GID = 2;

        private QueryOptions() {}
    }

    /**
     * The addresses and the device of an id: the reply to {@code RDMA_USER_CM_QUERY_ADDR}.
     *
     * <p>Kernels before 5.8 do not write {@code ibdev_index}, so the buffer must contain {@link Query#NO_INDEX} before
     * the command: see {@link #prefill}.
     */
    @KernelStruct(value = "struct rdma_ucm_query_addr_resp", header = "rdma/rdma_user_cm.h")
    public record QueryAddrReply(
            long nodeGuid,
            int portNum,
            int pkey,
            @Nullable SocketAddress src,
            @Nullable SocketAddress dst,
            int ibdevIndex) {
        public static final int NODE_GUID = 0; // __be64: declared __aligned_u64; 0 when the id has no device
        public static final int PORT_NUM = 8; // __u8: from 1; 0 when the id has no device
        public static final int RESERVED = 9; // __u8
        public static final int PKEY = 10; // __be16: declared __u16
        public static final int SRC_SIZE = 12; // __u16: 0 for no address
        public static final int DST_SIZE = 14; // __u16: 0 for no address
        public static final int SRC_ADDR = 16; // struct __kernel_sockaddr_storage
        public static final int DST_ADDR = 144; // struct __kernel_sockaddr_storage
        public static final int IBDEV_INDEX = 272; // __u32: kernels before 5.8 leave it as it is
        public static final int RESERVED1 = 276; // __u32
        public static final int BYTES = 280;

        public static QueryAddrReply decode(ByteBuffer in, int base) {
            return new QueryAddrReply(
                    StructFields.getBe64(in, base + NODE_GUID),
                    StructFields.getU8(in, base + PORT_NUM),
                    StructFields.getBe16(in, base + PKEY),
                    SockAddr.decode(in, base + SRC_ADDR, StructFields.getU16(in, base + SRC_SIZE)),
                    SockAddr.decode(in, base + DST_ADDR, StructFields.getU16(in, base + DST_SIZE)),
                    in.getInt(base + IBDEV_INDEX));
        }

        /** Prepares the {@link #BYTES} bytes at {@code base} for a kernel that does not write all of them. */
        public static void prefill(ByteBuffer out, int base) {
            StructFields.zero(out, base, BYTES);
            out.putInt(base + IBDEV_INDEX, NO_INDEX);
        }
    }

    /**
     * The GIDs of an id: the reply to {@code RDMA_USER_CM_QUERY_GID}. It has the layout of {@link QueryAddrReply}, with
     * both addresses a {@link SockaddrIb}.
     *
     * @param sgid GID of the source; all zero if the id has no device
     * @param dgid GID of the destination; all zero if no destination was resolved
     */
    public record QueryGidReply(Gid sgid, Gid dgid) {
        /** Reads the {@link QueryAddrReply#BYTES} bytes at {@code base} of a buffer in native order. */
        public static QueryGidReply decode(ByteBuffer in, int base) {
            return new QueryGidReply(gid(in, base + QueryAddrReply.SRC_ADDR), gid(in, base + QueryAddrReply.DST_ADDR));
        }

        private static Gid gid(ByteBuffer in, int offset) {
            int family = StructFields.getU16(in, offset + SockaddrIb.SIB_FAMILY);
            if (family != SockAddr.AF_IB) {
                throw new IllegalArgumentException("socket address of family " + family + " at offset " + offset);
            }
            return GidBytes.decode(in, offset + SockaddrIb.SIB_ADDR);
        }
    }

    /** The paths of an id: the reply to {@code RDMA_USER_CM_QUERY_PATH}. */
    @KernelStruct(value = "struct rdma_ucm_query_path_resp", header = "rdma/rdma_user_cm.h")
    public record QueryPathReply(List<PathRecord> paths) {
        public static final int NUM_PATHS = 0; // __u32: that the id has, whether they fit or not
        public static final int RESERVED = 4; // __u32
        public static final int PATH_DATA = 8; // struct ib_path_rec_data[]: the primary path first
        public static final int BYTES = 8;

        /** Copies the list. */
        public QueryPathReply {
            paths = List.copyOf(paths);
        }

        /** The size of a reply buffer for {@code paths} paths, plus one path that stays unused. */
        public static int bytes(int paths) {
            return PATH_DATA + (paths + 1) * PathData.Layout.BYTES;
        }

        /**
         * Reads the reply at {@code base} of a buffer in native order. The kernel counts all paths but writes only the
         * paths that fit.
         *
         * @param length the size of the reply buffer in the command
         */
        public static QueryPathReply decode(ByteBuffer in, int base, int length) {
            int numPaths = in.getInt(base + NUM_PATHS);
            if (numPaths < 0 || length < BYTES) {
                throw new IllegalArgumentException(numPaths + " paths at offset " + base + " in " + length + " bytes");
            }
            // ucma_query_path writes a record only if the rest is longer than a record, so the last byte stays free.
            int room = Math.max(0, length - PATH_DATA - 1) / PathData.Layout.BYTES;
            return new QueryPathReply(IntStream.range(0, Math.min(numPaths, room))
                    .mapToObj(i -> PathData.decode(in, base + PATH_DATA + i * PathData.Layout.BYTES))
                    .toList());
        }
    }
}
