// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import static io.github.rdma4j.internal.uverbs.WriteCommands.*;

import io.github.rdma4j.internal.uverbs.AllocPdCommand;
import io.github.rdma4j.internal.uverbs.AllocPdReply;
import io.github.rdma4j.internal.uverbs.AttachMcastCommand;
import io.github.rdma4j.internal.uverbs.CreateAhCommand;
import io.github.rdma4j.internal.uverbs.CreateAhReply;
import io.github.rdma4j.internal.uverbs.CreateCompChannelCommand;
import io.github.rdma4j.internal.uverbs.CreateCompChannelReply;
import io.github.rdma4j.internal.uverbs.CreateCqCommand;
import io.github.rdma4j.internal.uverbs.CreateCqReply;
import io.github.rdma4j.internal.uverbs.CreateQpCommand;
import io.github.rdma4j.internal.uverbs.CreateQpReply;
import io.github.rdma4j.internal.uverbs.CreateSrqCommand;
import io.github.rdma4j.internal.uverbs.CreateSrqReply;
import io.github.rdma4j.internal.uverbs.DeallocPdCommand;
import io.github.rdma4j.internal.uverbs.DeregMrCommand;
import io.github.rdma4j.internal.uverbs.DestroyAhCommand;
import io.github.rdma4j.internal.uverbs.DestroyCqCommand;
import io.github.rdma4j.internal.uverbs.DestroyCqReply;
import io.github.rdma4j.internal.uverbs.DestroyQpCommand;
import io.github.rdma4j.internal.uverbs.DestroyQpReply;
import io.github.rdma4j.internal.uverbs.DestroySrqCommand;
import io.github.rdma4j.internal.uverbs.DestroySrqReply;
import io.github.rdma4j.internal.uverbs.ModifyQpCommand;
import io.github.rdma4j.internal.uverbs.ModifySrqCommand;
import io.github.rdma4j.internal.uverbs.QueryDeviceCommand;
import io.github.rdma4j.internal.uverbs.QueryPortCommand;
import io.github.rdma4j.internal.uverbs.QueryQpCommand;
import io.github.rdma4j.internal.uverbs.QueryQpReply;
import io.github.rdma4j.internal.uverbs.QuerySrqCommand;
import io.github.rdma4j.internal.uverbs.RegMrCommand;
import io.github.rdma4j.internal.uverbs.RegMrReply;
import io.github.rdma4j.internal.uverbs.ReqNotifyCqCommand;
import io.github.rdma4j.verbs.DeviceAttr;
import io.github.rdma4j.verbs.PortAttr;
import io.github.rdma4j.verbs.SrqAttr;

/** The commands of the write set that {@link ControlPath} sends. */
final class WriteCalls {
    static final WriteCall QUERY_DEVICE = new WriteCall(
            IB_USER_VERBS_CMD_QUERY_DEVICE,
            "IB_USER_VERBS_CMD_QUERY_DEVICE",
            QueryDeviceCommand.Layout.BYTES,
            DeviceAttr.Layout.BYTES);
    static final WriteCall QUERY_PORT = new WriteCall(
            IB_USER_VERBS_CMD_QUERY_PORT,
            "IB_USER_VERBS_CMD_QUERY_PORT",
            QueryPortCommand.Layout.BYTES,
            PortAttr.Layout.BYTES);
    static final WriteCall ALLOC_PD = new WriteCall(
            IB_USER_VERBS_CMD_ALLOC_PD,
            "IB_USER_VERBS_CMD_ALLOC_PD",
            AllocPdCommand.Layout.BYTES,
            AllocPdReply.Layout.BYTES);
    static final WriteCall DEALLOC_PD = new WriteCall(
            IB_USER_VERBS_CMD_DEALLOC_PD, "IB_USER_VERBS_CMD_DEALLOC_PD", DeallocPdCommand.Layout.BYTES, 0);
    static final WriteCall REG_MR = new WriteCall(
            IB_USER_VERBS_CMD_REG_MR, "IB_USER_VERBS_CMD_REG_MR", RegMrCommand.Layout.BYTES, RegMrReply.Layout.BYTES);
    static final WriteCall DEREG_MR =
            new WriteCall(IB_USER_VERBS_CMD_DEREG_MR, "IB_USER_VERBS_CMD_DEREG_MR", DeregMrCommand.Layout.BYTES, 0);
    static final WriteCall CREATE_COMP_CHANNEL = new WriteCall(
            IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL,
            "IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL",
            CreateCompChannelCommand.Layout.BYTES,
            CreateCompChannelReply.Layout.BYTES);
    static final WriteCall CREATE_CQ = new WriteCall(
            IB_USER_VERBS_CMD_CREATE_CQ,
            "IB_USER_VERBS_CMD_CREATE_CQ",
            CreateCqCommand.Layout.BYTES,
            CreateCqReply.Layout.BYTES);
    static final WriteCall DESTROY_CQ = new WriteCall(
            IB_USER_VERBS_CMD_DESTROY_CQ,
            "IB_USER_VERBS_CMD_DESTROY_CQ",
            DestroyCqCommand.Layout.BYTES,
            DestroyCqReply.Layout.BYTES);
    static final WriteCall REQ_NOTIFY_CQ = new WriteCall(
            IB_USER_VERBS_CMD_REQ_NOTIFY_CQ, "IB_USER_VERBS_CMD_REQ_NOTIFY_CQ", ReqNotifyCqCommand.Layout.BYTES, 0);
    static final WriteCall CREATE_QP = new WriteCall(
            IB_USER_VERBS_CMD_CREATE_QP,
            "IB_USER_VERBS_CMD_CREATE_QP",
            CreateQpCommand.Layout.BYTES,
            CreateQpReply.Layout.BYTES);
    static final WriteCall QUERY_QP = new WriteCall(
            IB_USER_VERBS_CMD_QUERY_QP,
            "IB_USER_VERBS_CMD_QUERY_QP",
            QueryQpCommand.Layout.BYTES,
            QueryQpReply.Layout.BYTES);
    static final WriteCall MODIFY_QP =
            new WriteCall(IB_USER_VERBS_CMD_MODIFY_QP, "IB_USER_VERBS_CMD_MODIFY_QP", ModifyQpCommand.Layout.BYTES, 0);
    static final WriteCall DESTROY_QP = new WriteCall(
            IB_USER_VERBS_CMD_DESTROY_QP,
            "IB_USER_VERBS_CMD_DESTROY_QP",
            DestroyQpCommand.Layout.BYTES,
            DestroyQpReply.Layout.BYTES);

    static final WriteCall CREATE_AH = new WriteCall(
            IB_USER_VERBS_CMD_CREATE_AH,
            "IB_USER_VERBS_CMD_CREATE_AH",
            CreateAhCommand.Layout.BYTES,
            CreateAhReply.Layout.BYTES);
    static final WriteCall DESTROY_AH = new WriteCall(
            IB_USER_VERBS_CMD_DESTROY_AH, "IB_USER_VERBS_CMD_DESTROY_AH", DestroyAhCommand.Layout.BYTES, 0);
    static final WriteCall CREATE_SRQ = new WriteCall(
            IB_USER_VERBS_CMD_CREATE_SRQ,
            "IB_USER_VERBS_CMD_CREATE_SRQ",
            CreateSrqCommand.Layout.BYTES,
            CreateSrqReply.Layout.BYTES);
    static final WriteCall QUERY_SRQ = new WriteCall(
            IB_USER_VERBS_CMD_QUERY_SRQ,
            "IB_USER_VERBS_CMD_QUERY_SRQ",
            QuerySrqCommand.Layout.BYTES,
            SrqAttr.Layout.BYTES);
    static final WriteCall MODIFY_SRQ = new WriteCall(
            IB_USER_VERBS_CMD_MODIFY_SRQ, "IB_USER_VERBS_CMD_MODIFY_SRQ", ModifySrqCommand.Layout.BYTES, 0);
    static final WriteCall DESTROY_SRQ = new WriteCall(
            IB_USER_VERBS_CMD_DESTROY_SRQ,
            "IB_USER_VERBS_CMD_DESTROY_SRQ",
            DestroySrqCommand.Layout.BYTES,
            DestroySrqReply.Layout.BYTES);
    static final WriteCall ATTACH_MCAST = new WriteCall(
            IB_USER_VERBS_CMD_ATTACH_MCAST, "IB_USER_VERBS_CMD_ATTACH_MCAST", AttachMcastCommand.Layout.BYTES, 0);
    static final WriteCall DETACH_MCAST = new WriteCall(
            IB_USER_VERBS_CMD_DETACH_MCAST, "IB_USER_VERBS_CMD_DETACH_MCAST", AttachMcastCommand.Layout.BYTES, 0);

    private WriteCalls() {}
}
