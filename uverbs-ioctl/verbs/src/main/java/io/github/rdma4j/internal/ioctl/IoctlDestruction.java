// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes.*;
import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsMethods.*;
import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsObjects.*;

import io.github.rdma4j.internal.uverbs.VerbsIoctl.DestroyReplies;
import io.github.rdma4j.kernel.ErrnoException;

/** The ioctl methods that destroy objects. The event counts that some methods return are ignored. */
enum IoctlDestruction {
    PD(UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY, UVERBS_ATTR_DESTROY_PD_HANDLE, 0, 0),
    MR(UVERBS_OBJECT_MR, UVERBS_METHOD_MR_DESTROY, UVERBS_ATTR_DESTROY_MR_HANDLE, 0, 0),
    MW(UVERBS_OBJECT_MW, UVERBS_METHOD_MW_DESTROY, UVERBS_ATTR_DESTROY_MW_HANDLE, 0, 0),
    AH(UVERBS_OBJECT_AH, UVERBS_METHOD_AH_DESTROY, UVERBS_ATTR_DESTROY_AH_HANDLE, 0, 0),
    CQ(
            UVERBS_OBJECT_CQ,
            UVERBS_METHOD_CQ_DESTROY,
            UVERBS_ATTR_DESTROY_CQ_HANDLE,
            UVERBS_ATTR_DESTROY_CQ_RESP,
            DestroyReplies.CQ_BYTES),
    QP(
            UVERBS_OBJECT_QP,
            UVERBS_METHOD_QP_DESTROY,
            UVERBS_ATTR_DESTROY_QP_HANDLE,
            UVERBS_ATTR_DESTROY_QP_RESP,
            DestroyReplies.QP_BYTES),
    SRQ(
            UVERBS_OBJECT_SRQ,
            UVERBS_METHOD_SRQ_DESTROY,
            UVERBS_ATTR_DESTROY_SRQ_HANDLE,
            UVERBS_ATTR_DESTROY_SRQ_RESP,
            DestroyReplies.SRQ_BYTES);

    private final int object;
    private final int method;
    private final int handleAttr;
    private final int replyAttr;
    private final int replyBytes;

    IoctlDestruction(int object, int method, int handleAttr, int replyAttr, int replyBytes) {
        this.object = object;
        this.method = method;
        this.handleAttr = handleAttr;
        this.replyAttr = replyAttr;
        this.replyBytes = replyBytes;
    }

    void send(ControlPath path, int handle) throws ErrnoException {
        try (IoctlCommand command = path.command(object, method, "UVERBS_METHOD_" + name() + "_DESTROY")) {
            command.handle(handleAttr, handle);
            if (replyBytes > 0) {
                command.output(replyAttr, replyBytes);
            }
            command.send();
        }
    }
}
