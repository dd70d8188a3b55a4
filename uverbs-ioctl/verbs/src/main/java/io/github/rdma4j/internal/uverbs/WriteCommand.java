// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import static io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands.*;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.uverbs.AhAttrBytes.CreateAh;
import io.github.rdma4j.internal.uverbs.CqCommands.PollCq;
import io.github.rdma4j.internal.uverbs.CqCommands.ReqNotifyCq;
import io.github.rdma4j.internal.uverbs.CqCommands.ResizeCq;
import io.github.rdma4j.internal.uverbs.MemoryCommands.AllocMw;
import io.github.rdma4j.internal.uverbs.MemoryCommands.AllocMwReply;
import io.github.rdma4j.internal.uverbs.MemoryCommands.RegMr;
import io.github.rdma4j.internal.uverbs.MemoryCommands.RegMrReply;
import io.github.rdma4j.internal.uverbs.MemoryCommands.ReregMr;
import io.github.rdma4j.internal.uverbs.MemoryCommands.ReregMrReply;
import io.github.rdma4j.internal.uverbs.QpCommands.AttachMcast;
import io.github.rdma4j.internal.uverbs.QpCommands.OpenQp;
import io.github.rdma4j.internal.uverbs.QpCommands.OpenQpReply;
import io.github.rdma4j.internal.uverbs.QpCommands.QueryQp;
import io.github.rdma4j.internal.uverbs.QpCommands.QueryQpReply;
import io.github.rdma4j.internal.uverbs.Srq.SrqAttr;
import io.github.rdma4j.internal.uverbs.Srq.SrqAttrBytes;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import io.github.rdma4j.verbs.attr.QpAttr;
import java.nio.ByteBuffer;

/**
 * A command of the write set ({@code rdma/ib_user_verbs.h}) for a verb that has no method in the ioctl: its number, and
 * the sizes of request and reply. An {@link Encoder} writes the request. Drivers may append to the request and to the
 * reply.
 *
 * @param <R> the decoded reply; {@link NoReply} for a command without a reply
 * @param number {@code IB_USER_VERBS_CMD_*}
 * @param name the C constant of {@code number}, for errors
 * @param requestBytes bytes of the request struct
 * @param replyBytes bytes of the reply struct; 0 for a command without a reply
 * @param decoder reads the reply
 */
public record WriteCommand<R>(int number, String name, int requestBytes, int replyBytes, Decoder<R> decoder) {
    /** The size of an empty request: the address of the reply, which the kernel ignores in an ioctl. */
    public static final int RESPONSE_ALONE = 8;

    /** Leaves the request zeroed. */
    public static final Encoder ZEROS = (out, base) -> {};

    private static final String PREFIX = "IB_USER_VERBS_CMD_";

    public static final WriteCommand<DeviceAttr> QUERY_DEVICE = command(
            "QUERY_DEVICE",
            IB_USER_VERBS_CMD_QUERY_DEVICE,
            RESPONSE_ALONE,
            DeviceAttrBytes.BYTES,
            DeviceAttrBytes::decode);
    public static final WriteCommand<Integer> ALLOC_PD =
            number("ALLOC_PD", IB_USER_VERBS_CMD_ALLOC_PD, RESPONSE_ALONE, Numbers.PD_BYTES);
    public static final WriteCommand<RegMrReply> REG_MR =
            command("REG_MR", IB_USER_VERBS_CMD_REG_MR, RegMr.BYTES, RegMrReply.BYTES, RegMrReply::decode);
    public static final WriteCommand<ReregMrReply> REREG_MR =
            command("REREG_MR", IB_USER_VERBS_CMD_REREG_MR, ReregMr.BYTES, ReregMrReply.BYTES, ReregMrReply::decode);
    public static final WriteCommand<AllocMwReply> ALLOC_MW =
            command("ALLOC_MW", IB_USER_VERBS_CMD_ALLOC_MW, AllocMw.BYTES, AllocMwReply.BYTES, AllocMwReply::decode);
    public static final WriteCommand<Integer> RESIZE_CQ =
            number("RESIZE_CQ", IB_USER_VERBS_CMD_RESIZE_CQ, ResizeCq.BYTES, Numbers.RESIZED_BYTES);
    public static final WriteCommand<Integer> POLL_CQ =
            number("POLL_CQ", IB_USER_VERBS_CMD_POLL_CQ, PollCq.BYTES, Numbers.POLLED_BYTES);
    public static final WriteCommand<Integer> CREATE_COMP_CHANNEL =
            number("CREATE_COMP_CHANNEL", IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL, RESPONSE_ALONE, Numbers.CHANNEL_BYTES);
    public static final WriteCommand<NoReply> REQ_NOTIFY_CQ =
            command("REQ_NOTIFY_CQ", IB_USER_VERBS_CMD_REQ_NOTIFY_CQ, ReqNotifyCq.BYTES);
    public static final WriteCommand<QpAttr> QUERY_QP =
            command("QUERY_QP", IB_USER_VERBS_CMD_QUERY_QP, QueryQp.BYTES, QueryQpReply.BYTES, QueryQpReply::decode);
    public static final WriteCommand<NoReply> MODIFY_QP =
            command("MODIFY_QP", IB_USER_VERBS_CMD_MODIFY_QP, ModifyQp.Command.BYTES);
    public static final WriteCommand<Integer> CREATE_AH =
            number("CREATE_AH", IB_USER_VERBS_CMD_CREATE_AH, CreateAh.BYTES, Numbers.AH_BYTES);
    public static final WriteCommand<SrqAttr> QUERY_SRQ = command(
            "QUERY_SRQ", IB_USER_VERBS_CMD_QUERY_SRQ, Srq.QueryCommand.BYTES, SrqAttrBytes.BYTES, SrqAttrBytes::decode);
    public static final WriteCommand<NoReply> MODIFY_SRQ =
            command("MODIFY_SRQ", IB_USER_VERBS_CMD_MODIFY_SRQ, Srq.ModifyCommand.BYTES);
    public static final WriteCommand<Integer> OPEN_XRCD =
            number("OPEN_XRCD", IB_USER_VERBS_CMD_OPEN_XRCD, XrcdCommands.OpenCommand.BYTES, Numbers.XRCD_BYTES);
    public static final WriteCommand<NoReply> CLOSE_XRCD =
            command("CLOSE_XRCD", IB_USER_VERBS_CMD_CLOSE_XRCD, Numbers.CLOSE_XRCD_BYTES);
    public static final WriteCommand<OpenQpReply> OPEN_QP =
            command("OPEN_QP", IB_USER_VERBS_CMD_OPEN_QP, OpenQp.BYTES, OpenQpReply.BYTES, OpenQpReply::decode);
    public static final WriteCommand<NoReply> ATTACH_MCAST =
            command("ATTACH_MCAST", IB_USER_VERBS_CMD_ATTACH_MCAST, AttachMcast.BYTES);
    public static final WriteCommand<NoReply> DETACH_MCAST =
            command("DETACH_MCAST", IB_USER_VERBS_CMD_DETACH_MCAST, AttachMcast.BYTES);

    /** The sizes of structs that consist of one number, or begin with the only number that is used. */
    @KernelConstants("rdma/ib_user_verbs.h")
    public static final class Numbers {
        @CName("offsetof(struct ib_uverbs_alloc_pd_resp, pd_handle) + sizeof(struct ib_uverbs_alloc_pd_resp)")
        public static final int PD_BYTES = 4;

        @CName("offsetof(struct ib_uverbs_resize_cq_resp, cqe) + sizeof(struct ib_uverbs_resize_cq_resp)")
        public static final int RESIZED_BYTES = 8;

        @CName("offsetof(struct ib_uverbs_poll_cq_resp, count) + sizeof(struct ib_uverbs_poll_cq_resp)")
        public static final int POLLED_BYTES = 8;

        @CName("offsetof(struct ib_uverbs_create_comp_channel_resp, fd)"
                + " + sizeof(struct ib_uverbs_create_comp_channel_resp)")
        public static final int CHANNEL_BYTES = 4;

        @CName("offsetof(struct ib_uverbs_create_ah_resp, ah_handle) + sizeof(struct ib_uverbs_create_ah_resp)")
        public static final int AH_BYTES = 4;

        @CName("offsetof(struct ib_uverbs_open_xrcd_resp, xrcd_handle) + sizeof(struct ib_uverbs_open_xrcd_resp)")
        public static final int XRCD_BYTES = 4;

        @CName("offsetof(struct ib_uverbs_close_xrcd, xrcd_handle) + sizeof(struct ib_uverbs_close_xrcd)")
        public static final int CLOSE_XRCD_BYTES = 4;

        @CName("sizeof(struct ib_uverbs_post_send_resp)")
        public static final int POST_SEND_BYTES = 4;

        private Numbers() {}
    }

    /** The reply of a command that returns no data. */
    public enum NoReply {
        NO_REPLY
    }

    /** Reads a reply at {@code base} of a buffer in native order. */
    @FunctionalInterface
    public interface Decoder<R> {
        R decode(ByteBuffer in, int base);
    }

    /** Writes a request at {@code base} of a buffer in native order, where it finds zeros. */
    @FunctionalInterface
    public interface Encoder {
        void encode(ByteBuffer out, int base);
    }

    private static <R> WriteCommand<R> command(
            String name, int number, int requestBytes, int replyBytes, Decoder<R> decoder) {
        return new WriteCommand<>(number, PREFIX + name, requestBytes, replyBytes, decoder);
    }

    private static WriteCommand<Integer> number(String name, int number, int requestBytes, int replyBytes) {
        return command(name, number, requestBytes, replyBytes, ByteBuffer::getInt);
    }

    private static WriteCommand<NoReply> command(String name, int number, int requestBytes) {
        return command(name, number, requestBytes, 0, (in, base) -> NoReply.NO_REPLY);
    }

    /** Returns the name, for messages. */
    @Override
    public String toString() {
        return name;
    }

    /** The header of a command sent by write(2). */
    @KernelStruct(value = "struct ib_uverbs_cmd_hdr", header = "rdma/ib_user_verbs.h")
    public static final class WriteHeader {
        public static final int COMMAND = 0; // __u32: IB_USER_VERBS_CMD_*
        public static final int IN_WORDS = 4; // __u16: 32-bit words of the whole write, this header included
        public static final int OUT_WORDS = 6; // __u16: 32-bit words of the response buffer, 0 if none
        public static final int BYTES = 8;

        private WriteHeader() {}

        /** Writes all {@link #BYTES} bytes at {@code base}; {@code out} must be in native order. */
        public static void encode(ByteBuffer out, int base, int command, int inWords, int outWords) {
            out.putInt(base + COMMAND, command);
            StructFields.putU16(out, base + IN_WORDS, inWords);
            StructFields.putU16(out, base + OUT_WORDS, outWords);
        }
    }

    /** The commands of uverbs, sent by write(2) or {@code UVERBS_METHOD_INVOKE_WRITE}. */
    @KernelConstants("rdma/ib_user_verbs.h")
    public static final class WriteCommands {
        public static final int IB_USER_VERBS_ABI_VERSION = 6;
        public static final int IB_USER_VERBS_CMD_FLAG_EXTENDED = 0x80000000;

        public static final int IB_USER_VERBS_CMD_GET_CONTEXT = 0;
        public static final int IB_USER_VERBS_CMD_QUERY_DEVICE = 1;
        public static final int IB_USER_VERBS_CMD_ALLOC_PD = 3;
        public static final int IB_USER_VERBS_CMD_DEALLOC_PD = 4;
        public static final int IB_USER_VERBS_CMD_CREATE_AH = 5;
        public static final int IB_USER_VERBS_CMD_REG_MR = 9;
        public static final int IB_USER_VERBS_CMD_REREG_MR = 11;
        public static final int IB_USER_VERBS_CMD_DEREG_MR = 13;
        public static final int IB_USER_VERBS_CMD_ALLOC_MW = 14;
        public static final int IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL = 17;
        public static final int IB_USER_VERBS_CMD_CREATE_CQ = 18;
        public static final int IB_USER_VERBS_CMD_RESIZE_CQ = 19;
        public static final int IB_USER_VERBS_CMD_DESTROY_CQ = 20;
        public static final int IB_USER_VERBS_CMD_POLL_CQ = 21;
        public static final int IB_USER_VERBS_CMD_REQ_NOTIFY_CQ = 23;
        public static final int IB_USER_VERBS_CMD_CREATE_QP = 24;
        public static final int IB_USER_VERBS_CMD_QUERY_QP = 25;
        public static final int IB_USER_VERBS_CMD_MODIFY_QP = 26;
        public static final int IB_USER_VERBS_CMD_DESTROY_QP = 27;
        public static final int IB_USER_VERBS_CMD_POST_SEND = 28;
        public static final int IB_USER_VERBS_CMD_ATTACH_MCAST = 30;
        public static final int IB_USER_VERBS_CMD_DETACH_MCAST = 31;
        public static final int IB_USER_VERBS_CMD_MODIFY_SRQ = 33;
        public static final int IB_USER_VERBS_CMD_QUERY_SRQ = 34;
        public static final int IB_USER_VERBS_CMD_OPEN_XRCD = 37;
        public static final int IB_USER_VERBS_CMD_CLOSE_XRCD = 38;
        public static final int IB_USER_VERBS_CMD_OPEN_QP = 40;

        public static final int IB_USER_VERBS_EX_CMD_QUERY_DEVICE = 1;

        private WriteCommands() {}
    }
}
