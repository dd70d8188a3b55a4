// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import static java.util.Objects.requireNonNull;

import io.github.rdma4j.internal.uverbs.MemoryCommands.RegMr;
import io.github.rdma4j.internal.uverbs.ModifyQp;
import io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes;
import io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsMethods;
import io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsObjects;
import io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A line of {@code src/test/c/ioctl_log.c} with its attributes in the order of their numbers, and without what is not
 * the same in two runs: handles, descriptors, pointers, what lies in outputs, numbers of queue pairs and packets.
 */
final class IoctlCommandText {
    private static final String HIDDEN = "*";

    /** Attributes whose value is a handle, a descriptor or a cookie; all outputs are pointers or room for an answer. */
    private static final Map<String, Set<Integer>> VARYING = Map.of(
            key(UverbsObjects.UVERBS_OBJECT_DEVICE, UverbsMethods.UVERBS_METHOD_GET_CONTEXT), Set.of(0, 1),
            key(UverbsObjects.UVERBS_OBJECT_DEVICE, UverbsMethods.UVERBS_METHOD_QUERY_PORT), Set.of(1),
            key(UverbsObjects.UVERBS_OBJECT_ASYNC_EVENT, UverbsMethods.UVERBS_METHOD_ASYNC_EVENT_ALLOC), Set.of(0),
            key(UverbsObjects.UVERBS_OBJECT_CQ, UverbsMethods.UVERBS_METHOD_CQ_CREATE), Set.of(0, 2, 3, 6, 7),
            key(UverbsObjects.UVERBS_OBJECT_CQ, UverbsMethods.UVERBS_METHOD_CQ_DESTROY), Set.of(0, 1),
            key(UverbsObjects.UVERBS_OBJECT_QP, UverbsMethods.UVERBS_METHOD_QP_CREATE),
                    Set.of(0, 2, 4, 5, 7, 12, 13, 14),
            key(UverbsObjects.UVERBS_OBJECT_QP, UverbsMethods.UVERBS_METHOD_QP_DESTROY), Set.of(0, 1),
            key(UverbsObjects.UVERBS_OBJECT_PD, UverbsMethods.UVERBS_METHOD_PD_DESTROY), Set.of(0),
            key(UverbsObjects.UVERBS_OBJECT_MR, UverbsMethods.UVERBS_METHOD_MR_DESTROY), Set.of(0));

    /**
     * Exceptions: C names the descriptor for asynchronous events when it makes queues. Without the name the kernel takes
     * the context's own, and that is the one which C names.
     */
    private static final Map<String, Integer> LEFT_OUT = Map.of(
            key(UverbsObjects.UVERBS_OBJECT_CQ, UverbsMethods.UVERBS_METHOD_CQ_CREATE),
            UverbsAttributes.UVERBS_ATTR_CREATE_CQ_EVENT_FD,
            key(UverbsObjects.UVERBS_OBJECT_QP, UverbsMethods.UVERBS_METHOD_QP_CREATE),
            UverbsAttributes.UVERBS_ATTR_CREATE_QP_EVENT_FD);

    private IoctlCommandText() {}

    private static String key(int object, int method) {
        return "%x %x".formatted(object, method);
    }

    /** What the line is about, without its driver. */
    static String of(String line) {
        String[] words = line.split(" ", -1);
        String method = words[0] + " " + words[1];
        boolean written =
                method.equals(key(UverbsObjects.UVERBS_OBJECT_DEVICE, UverbsMethods.UVERBS_METHOD_INVOKE_WRITE));
        Map<Integer, String[]> attributes = new TreeMap<>();
        for (int i = 3; i < words.length; i++) {
            String[] attribute = words[i].split(":", -1);
            attributes.put(Integer.parseInt(attribute[0], 16), attribute);
        }
        attributes.remove(LEFT_OUT.getOrDefault(method, -1));
        int write = written
                ? Integer.parseInt(
                        requireNonNull(attributes.get(UverbsAttributes.UVERBS_ATTR_WRITE_CMD))[4].substring(0, 2), 16)
                : -1;
        StringBuilder text = new StringBuilder(written ? "write " + write : "method " + method);
        attributes.forEach((id, attribute) -> {
            String value = written ? writeValue(write, id, attribute[4]) : value(method, id, attribute[4]);
            text.append(' ').append(String.join(":", attribute[0], attribute[1], attribute[2], attribute[3], value));
        });
        return text.toString();
    }

    private static String value(String method, int id, String data) {
        boolean varies = VARYING.getOrDefault(method, Set.of()).contains(id);
        return varies || id == UverbsAttributes.UVERBS_ATTR_UHW_OUT ? HIDDEN : data;
    }

    private static String writeValue(int command, int id, String data) {
        if (id == UverbsAttributes.UVERBS_ATTR_WRITE_CMD) {
            return data;
        }
        if (id != UverbsAttributes.UVERBS_ATTR_CORE_IN) {
            return HIDDEN;
        }
        Masked text = Masked.of(HexFormat.of().parseHex(data));
        return switch (command) {
            case WriteCommands.IB_USER_VERBS_CMD_REG_MR ->
                text.hide(0, 16).hide(RegMr.HCA_VA, 12).toString();
            case WriteCommands.IB_USER_VERBS_CMD_MODIFY_QP ->
                text.hide(ModifyQp.Command.DEST + 16, 4) // flow label
                        .hide(ModifyQp.Command.QP_HANDLE, 4)
                        .hide(ModifyQp.Command.RQ_PSN, 12)
                        .toString();
            case WriteCommands.IB_USER_VERBS_CMD_REQ_NOTIFY_CQ,
                    WriteCommands.IB_USER_VERBS_CMD_DEALLOC_PD,
                    WriteCommands.IB_USER_VERBS_CMD_DEREG_MR -> text.hide(0, 4).toString();
            default -> text.hide(0, 8).toString(); // response
        };
    }
}
