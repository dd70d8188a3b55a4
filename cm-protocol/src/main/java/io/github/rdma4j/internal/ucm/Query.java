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

    /**
     * Queries the addresses, the paths or the GIDs of an id.
     *
     * <pre>{@code
     * struct rdma_ucm_query {      // uapi/rdma/rdma_user_cm.h, RDMA_USER_CM_CMD_QUERY
     *     __aligned_u64 response;  //  0  address of the reply
     *     __u32 id;                //  8
     *     __u32 option;            // 12  RDMA_USER_CM_QUERY_*
     * };                           // 16
     * }</pre>
     */
    @KernelStruct(value = "struct rdma_ucm_query", header = "rdma/rdma_user_cm.h")
    public record QueryCommand(int id, int option) {
        public static final int RESPONSE = 0;
        public static final int ID = 8;
        public static final int OPTION = 12;
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
     *
     * <pre>{@code
     * struct rdma_ucm_query_addr_resp {               // uapi/rdma/rdma_user_cm.h
     *     __be64 node_guid;                           //   0  declared __aligned_u64; 0 when the id has no device
     *     __u8 port_num;                              //   8  from 1; 0 when the id has no device
     *     __u8 reserved;                              //   9
     *     __be16 pkey;                                //  10  declared __u16
     *     __u16 src_size;                             //  12  0 for no address
     *     __u16 dst_size;                             //  14  0 for no address
     *     struct __kernel_sockaddr_storage src_addr;  //  16
     *     struct __kernel_sockaddr_storage dst_addr;  // 144
     *     __u32 ibdev_index;                          // 272  kernels before 5.8 leave it as it is
     *     __u32 reserved1;                            // 276
     * };                                              // 280
     * }</pre>
     */
    @KernelStruct(value = "struct rdma_ucm_query_addr_resp", header = "rdma/rdma_user_cm.h")
    public record QueryAddrReply(
            long nodeGuid,
            int portNum,
            int pkey,
            @Nullable SocketAddress src,
            @Nullable SocketAddress dst,
            int ibdevIndex) {
        public static final int NODE_GUID = 0;
        public static final int PORT_NUM = 8;
        public static final int RESERVED = 9;
        public static final int PKEY = 10;
        public static final int SRC_SIZE = 12;
        public static final int DST_SIZE = 14;
        public static final int SRC_ADDR = 16;
        public static final int DST_ADDR = 144;
        public static final int IBDEV_INDEX = 272;
        public static final int RESERVED1 = 276;
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

    /**
     * The paths of an id: the reply to {@code RDMA_USER_CM_QUERY_PATH}.
     *
     * <pre>{@code
     * struct rdma_ucm_query_path_resp {        // uapi/rdma/rdma_user_cm.h
     *     __u32 num_paths;                     // 0  that the id has, whether they fit or not
     *     __u32 reserved;                      // 4
     *     struct ib_path_rec_data path_data[]; // 8  the primary path first
     * };                                       // 8
     * }</pre>
     */
    @KernelStruct(value = "struct rdma_ucm_query_path_resp", header = "rdma/rdma_user_cm.h")
    public record QueryPathReply(List<PathRecord> paths) {
        public static final int NUM_PATHS = 0;
        public static final int RESERVED = 4;
        public static final int PATH_DATA = 8;
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
