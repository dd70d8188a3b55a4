// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import static io.github.rdma4j.research.semantics.behaviour.Behaviour.quick;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.ucm.UcmCommand.CmCommands;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.research.semantics.raw.Answer;
import io.github.rdma4j.research.semantics.raw.RawEvent;
import java.util.List;

/** How commands are put to the kernel: cases 1 to 10. */
final class AbiCases {
    private AbiCases() {}

    static List<Behaviour> all() {
        return List.of(
                quick("C1", "an id is made", AbiCases::createId),
                quick(
                        "C2",
                        "a port space that there is not",
                        s -> s.see("CREATE_ID", s.client.createId(s.newUid(), 0x1234, 2))),
                quick("C3", "the handle of another descriptor, and of nobody", AbiCases::foreignHandle),
                quick("C4", "a command cut short", AbiCases::cutShort),
                quick("C5", "too little room for the reply", AbiCases::noRoom),
                quick("C6", "commands that there are not", s -> {
                    s.see("13", s.client.raw(13, new byte[64], 64, 8, 0, 64));
                    s.see("99", s.client.raw(99, new byte[64], 64, 8, 0, 64));
                }),
                quick("C7", "the queue of events is empty, and is not", AbiCases::readiness),
                quick("C8", "an id whose uid is 0", AbiCases::uidZero),
                quick("C9", "an id is destroyed twice", AbiCases::destroyTwice),
                quick("C10", "bytes behind a command", AbiCases::surplus));
    }

    private static void createId(Trial s) {
        Answer one = s.client.createId(s.newUid(), Trial.TCP, 2);
        s.see("CREATE_ID", one.result());
        int other = s.client.createId(s.newUid(), Trial.TCP, 2).first();
        s.see("two ids have two handles: " + (one.first() != other));
    }

    private static void foreignHandle(Trial s) {
        RawId id = s.tcp();
        s.see("another descriptor's: " + id.on(s.server).everyCommand());
        s.see("nobody's: " + new RawId(s.client, 0x7fffffff, 1).everyCommand());
    }

    private static void cutShort(Trial s) {
        s.see("7 bytes", s.client.write(new byte[7], -1, 0));
        s.see(
                "a header that tells of more than there is",
                s.client.raw(CmCommands.RDMA_USER_CM_CMD_CREATE_ID, new byte[24], 25, 4, 8, 4));
    }

    private static void noRoom(Trial s) {
        s.see("CREATE_ID", s.client.raw(CmCommands.RDMA_USER_CM_CMD_CREATE_ID, new byte[24], 24, 3, 8, 8));
        s.see("QUERY", s.client.query(s.tcp().handle(), 0, 271));
        s.see("GET_EVENT", s.client.raw(CmCommands.RDMA_USER_CM_CMD_GET_EVENT, new byte[8], 8, 323, 0, 400));
    }

    private static void readiness(Trial s) throws Exception {
        RawId id = s.tcp();
        s.see("GET_EVENT", s.client.getEvent());
        s.see("readable: " + s.client.isReadable());
        id.resolveAddr(Net.fresh()).orFail("RESOLVE_ADDR");
        boolean readable = KernelFd.of(s.client).awaitReadable(Deadline.after(Trial.LIMIT));
        s.see("after RESOLVE_ADDR readable: " + readable);
        s.expect(id, "ADDR_RESOLVED");
        s.see("after GET_EVENT readable: " + s.client.isReadable());
    }

    private static void uidZero(Trial s) throws Exception {
        RawId id = new RawId(s.client, s.client.createId(0, Trial.TCP, 2).first(), 0);
        s.see("RESOLVE_ADDR", id.resolveAddr(Net.fresh()));
        List<RawEvent> events = s.eventsBeforeFence(s.client);
        s.see(Trial.names(events));
    }

    private static void destroyTwice(Trial s) throws Exception {
        RawId id = s.routed(s.tcp(), Net.fresh());
        s.see("events fetched 2, DESTROY_ID reports " + id.destroy().first());
        s.see("again", id.destroy());
    }

    private static void surplus(Trial s) {
        byte[] body = new byte[40];
        body[0] = 1;
        body[16] = 0x06;
        body[17] = 0x01;
        Answer answer = s.client.raw(CmCommands.RDMA_USER_CM_CMD_CREATE_ID, body, 24, 4, 8, 4);
        s.see("CREATE_ID with 16 bytes too many: " + (answer.result() == 48 ? "all 48 are written" : answer.result()));
    }
}
