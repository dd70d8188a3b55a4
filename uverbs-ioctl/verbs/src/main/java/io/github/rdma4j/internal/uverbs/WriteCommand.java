// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import static io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands.*;

import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.uverbs.Events.CreateCompChannelReply;
import io.github.rdma4j.internal.uverbs.Srq.SrqAttrBytes;
import io.github.rdma4j.verbs.attr.DeviceAttr;
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
    public static final WriteCommand<AllocPdReply> ALLOC_PD =
            command("ALLOC_PD", IB_USER_VERBS_CMD_ALLOC_PD, RESPONSE_ALONE, AllocPdReply.BYTES, AllocPdReply::decode);
    public static final WriteCommand<RegMr.Reply> REG_MR =
            command("REG_MR", IB_USER_VERBS_CMD_REG_MR, RegMr.Command.BYTES, RegMr.Reply.BYTES, RegMr.Reply::decode);
    public static final WriteCommand<ReregMr.Reply> REREG_MR = command(
            "REREG_MR", IB_USER_VERBS_CMD_REREG_MR, ReregMr.Command.BYTES, ReregMr.Reply.BYTES, ReregMr.Reply::decode);
    public static final WriteCommand<AllocMw.Reply> ALLOC_MW = command(
            "ALLOC_MW", IB_USER_VERBS_CMD_ALLOC_MW, AllocMw.Command.BYTES, AllocMw.Reply.BYTES, AllocMw.Reply::decode);
    public static final WriteCommand<ResizeCq.Reply> RESIZE_CQ = command(
            "RESIZE_CQ",
            IB_USER_VERBS_CMD_RESIZE_CQ,
            ResizeCq.Command.BYTES,
            ResizeCq.Reply.BYTES,
            ResizeCq.Reply::decode);
    public static final WriteCommand<PollCq.Reply> POLL_CQ = command(
            "POLL_CQ", IB_USER_VERBS_CMD_POLL_CQ, PollCq.Command.BYTES, PollCq.Reply.BYTES, PollCq.Reply::decode);
    public static final WriteCommand<CreateCompChannelReply> CREATE_COMP_CHANNEL = command(
            "CREATE_COMP_CHANNEL",
            IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL,
            RESPONSE_ALONE,
            CreateCompChannelReply.BYTES,
            CreateCompChannelReply::decode);
    public static final WriteCommand<NoReply> REQ_NOTIFY_CQ =
            command("REQ_NOTIFY_CQ", IB_USER_VERBS_CMD_REQ_NOTIFY_CQ, ReqNotifyCqCommand.BYTES);
    public static final WriteCommand<QueryQp.Reply> QUERY_QP = command(
            "QUERY_QP", IB_USER_VERBS_CMD_QUERY_QP, QueryQp.Command.BYTES, QueryQp.Reply.BYTES, QueryQp.Reply::decode);
    public static final WriteCommand<NoReply> MODIFY_QP =
            command("MODIFY_QP", IB_USER_VERBS_CMD_MODIFY_QP, ModifyQp.Command.BYTES);
    public static final WriteCommand<CreateAh.Reply> CREATE_AH = command(
            "CREATE_AH",
            IB_USER_VERBS_CMD_CREATE_AH,
            CreateAh.Command.BYTES,
            CreateAh.Reply.BYTES,
            CreateAh.Reply::decode);
    public static final WriteCommand<SrqAttr> QUERY_SRQ = command(
            "QUERY_SRQ", IB_USER_VERBS_CMD_QUERY_SRQ, Srq.QueryCommand.BYTES, SrqAttrBytes.BYTES, SrqAttrBytes::decode);
    public static final WriteCommand<NoReply> MODIFY_SRQ =
            command("MODIFY_SRQ", IB_USER_VERBS_CMD_MODIFY_SRQ, Srq.ModifyCommand.BYTES);
    public static final WriteCommand<XrcdCommands.OpenReply> OPEN_XRCD = command(
            "OPEN_XRCD",
            IB_USER_VERBS_CMD_OPEN_XRCD,
            XrcdCommands.OpenCommand.BYTES,
            XrcdCommands.OpenReply.BYTES,
            XrcdCommands.OpenReply::decode);
    public static final WriteCommand<NoReply> CLOSE_XRCD =
            command("CLOSE_XRCD", IB_USER_VERBS_CMD_CLOSE_XRCD, XrcdCommands.CloseCommand.BYTES);
    public static final WriteCommand<OpenQp.Reply> OPEN_QP = command(
            "OPEN_QP", IB_USER_VERBS_CMD_OPEN_QP, OpenQp.Command.BYTES, OpenQp.Reply.BYTES, OpenQp.Reply::decode);
    public static final WriteCommand<NoReply> ATTACH_MCAST =
            command("ATTACH_MCAST", IB_USER_VERBS_CMD_ATTACH_MCAST, AttachMcastCommand.BYTES);
    public static final WriteCommand<NoReply> DETACH_MCAST =
            command("DETACH_MCAST", IB_USER_VERBS_CMD_DETACH_MCAST, AttachMcastCommand.BYTES);

    /** The reply of a command that returns no data. */
    public enum NoReply {
        NO_REPLY
    }

    /** Reads a reply at {@code base} of a buffer in native order. */
    @FunctionalInterface
    public interface Decoder<R> {
        R decode(ByteBuffer in, int base);
    }

    /** Writes a request at {@code base} of a buffer in native order. */
    @FunctionalInterface
    public interface Encoder {
        void encode(ByteBuffer out, int base);
    }

    private static <R> WriteCommand<R> command(
            String name, int number, int requestBytes, int replyBytes, Decoder<R> decoder) {
        return new WriteCommand<>(number, PREFIX + name, requestBytes, replyBytes, decoder);
    }

    private static WriteCommand<NoReply> command(String name, int number, int requestBytes) {
        return command(name, number, requestBytes, 0, (in, base) -> NoReply.NO_REPLY);
    }

    /** Returns the name, for messages. */
    @Override
    public String toString() {
        return name;
    }

    /**
     * The header of a command sent by write(2).
     *
     * <pre>{@code
     * struct ib_uverbs_cmd_hdr {  // uapi/rdma/ib_user_verbs.h
     *     __u32 command;          // 0  IB_USER_VERBS_CMD_*
     *     __u16 in_words;         // 4  32-bit words of the whole write, this header included
     *     __u16 out_words;        // 6  32-bit words of the response buffer, 0 if none
     * };                          // 8
     * }</pre>
     *
     * @param command {@code IB_USER_VERBS_CMD_*}
     * @param inWords 32-bit words of the whole write, this header included
     * @param outWords 32-bit words of the response buffer, 0 if none
     */
    @KernelStruct(value = "struct ib_uverbs_cmd_hdr", header = "rdma/ib_user_verbs.h")
    public record WriteHeader(int command, int inWords, int outWords) {
        public static final int COMMAND = 0;
        public static final int IN_WORDS = 4;
        public static final int OUT_WORDS = 6;
        public static final int BYTES = 8;

        /** Writes all {@link #BYTES} bytes at {@code base}; {@code out} must be in native order. */
        public void encode(ByteBuffer out, int base) {
            encode(out, base, command, inWords);
            StructFields.putU16(out, base + OUT_WORDS, outWords);
        }

        /** Encodes the header of a command without a response, without creating an object. */
        public static void encode(ByteBuffer out, int base, int command, int inWords) {
            out.putInt(base + COMMAND, command);
            StructFields.putU16(out, base + IN_WORDS, inWords);
            StructFields.putU16(out, base + OUT_WORDS, 0);
        }
    }

    /** The commands of uverbs, sent by write(2) or {@code UVERBS_METHOD_INVOKE_WRITE}. */
    @KernelConstants("rdma/ib_user_verbs.h")
    public static final class WriteCommands {
        public static final int IB_USER_VERBS_ABI_VERSION = 6;
        public static final int IB_USER_VERBS_CMD_FLAG_EXTENDED = 0x80000000;

        public static final int IB_USER_VERBS_CMD_GET_CONTEXT = 0;
        public static final int IB_USER_VERBS_CMD_QUERY_DEVICE = 1;
        public static final int IB_USER_VERBS_CMD_QUERY_PORT = 2;
        public static final int IB_USER_VERBS_CMD_ALLOC_PD = 3;
        public static final int IB_USER_VERBS_CMD_DEALLOC_PD = 4;
        public static final int IB_USER_VERBS_CMD_CREATE_AH = 5;
        public static final int IB_USER_VERBS_CMD_DESTROY_AH = 8;
        public static final int IB_USER_VERBS_CMD_REG_MR = 9;
        public static final int IB_USER_VERBS_CMD_REREG_MR = 11;
        public static final int IB_USER_VERBS_CMD_DEREG_MR = 13;
        public static final int IB_USER_VERBS_CMD_ALLOC_MW = 14;
        public static final int IB_USER_VERBS_CMD_DEALLOC_MW = 16;
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
        public static final int IB_USER_VERBS_CMD_CREATE_SRQ = 32;
        public static final int IB_USER_VERBS_CMD_MODIFY_SRQ = 33;
        public static final int IB_USER_VERBS_CMD_QUERY_SRQ = 34;
        public static final int IB_USER_VERBS_CMD_DESTROY_SRQ = 35;
        public static final int IB_USER_VERBS_CMD_OPEN_XRCD = 37;
        public static final int IB_USER_VERBS_CMD_CLOSE_XRCD = 38;
        public static final int IB_USER_VERBS_CMD_OPEN_QP = 40;

        public static final int IB_USER_VERBS_EX_CMD_QUERY_DEVICE = 1;

        private WriteCommands() {}
    }
}
