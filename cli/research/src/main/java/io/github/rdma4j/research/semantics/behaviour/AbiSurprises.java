// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import static io.github.rdma4j.research.semantics.behaviour.Behaviour.quick;

import io.github.rdma4j.cm.IbSocketAddress;
import io.github.rdma4j.internal.ucm.UcmCommand.CmCommands;
import io.github.rdma4j.research.semantics.guest.Await;
import io.github.rdma4j.research.semantics.raw.Answer;
import io.github.rdma4j.research.semantics.raw.RawCm;
import io.github.rdma4j.research.semantics.raw.RawEvent;
import io.github.rdma4j.verbs.attr.Gid;
import java.nio.ByteBuffer;
import java.util.List;

/** Traps of the ABI and of handles: surprises 1 to 20. */
final class AbiSurprises {
    /** No page of a process is there. */
    private static final long NOWHERE = 16;

    private AbiSurprises() {}

    static List<Behaviour> all() {
        return List.of(
                quick("S1", "handles are given again at once", s -> {
                    int first = s.tcp().handle();
                    s.client.destroyId(first).orFail("DESTROY");
                    s.see("the same handle after DESTROY_ID: " + (s.tcp().handle() == first));
                }),
                quick("S2", "joins have handles and uids of their own", AbiSurprises::joinHandles),
                quick("S6", "a change of credentials", s -> s.see(Helper.run("credentials"))),
                quick("S7", "the length in the header is too small", s -> {
                    s.see("BIND of length 0", shortBind(s));
                    RawId id = s.routed(s.tcp(), Net.fresh());
                    s.see("CONNECT of length 0", s.client.raw(6, connectBody(id), 0, 0, -1, 0));
                }),
                quick("S8", "a reply that cannot be written", AbiSurprises::badPointers),
                quick("S9", "QUERY PATH in a buffer of exactly one record", s -> {
                    RawId id = s.routed(s.tcp(), Net.fresh());
                    s.see(paths(id, 80));
                    s.see("a byte more: " + paths(id, 81));
                }),
                quick("S10", "replies of the old sizes", s -> {
                    RawId id = s.resolvedQueued();
                    s.see("QUERY of 272 bytes", s.client.query(id.handle(), 0, 272));
                    s.see("GET_EVENT of 324 bytes", s.client.raw(12, new byte[8], 8, 324, 0, 336));
                }),
                quick("S12", "all events of a datagram id have the datagram layout", AbiSurprises::datagramLayout),
                quick("S13", "the probe for InfiniBand addresses", s -> {
                    RawId id = s.tcp();
                    RawId ib = s.id(s.client, 0x013f, 2);
                    s.see("BIND of any AF_IB address "
                            + bindIb(ib).text() + ", a TCP port: "
                            + (serviceId(ib) >>> 16 == 0x106 && id.handle() != ib.handle()));
                }));
    }

    private static void joinHandles(Trial s) throws Exception {
        RawId id = s.bound(s.udp(), Net.fresh());
        for (int i = 0; i < 40; i++) {
            id = s.bound(s.udp(), Net.fresh());
        }
        long uid = s.newUid();
        int join = id.join(MulticastCases.group(21), uid, 0).first();
        RawEvent event = s.event(id);
        s.see("event with uid and handle of the join: " + (event.uid() == uid && event.id() == join));
        s.see("LEAVE_MCAST of a number that only an id has", s.client.leaveMcast(id.handle()));
    }

    private static Answer shortBind(Trial s) {
        RawBody body = new RawBody(136).u32(0, s.tcp().handle()).address(4, 8, Net.fresh());
        return s.client.raw(CmCommands.RDMA_USER_CM_CMD_BIND, body.bytes(), 0, 0, -1, 0);
    }

    private static byte[] connectBody(RawId id) {
        return new RawBody(288).param(0, Trial.param()).u32(272, id.handle()).bytes();
    }

    private static void badPointers(Trial s) throws Exception {
        int next = s.tcp().handle();
        s.client.destroyId(next).orFail("DESTROY");
        RawBody create = new RawBody(24).u64(0, s.newUid()).u64(8, NOWHERE).u16(16, Trial.TCP);
        Answer answer = s.client.raw(CmCommands.RDMA_USER_CM_CMD_CREATE_ID, create.bytes(), 24, 4, -1, 0);
        s.see("CREATE_ID " + answer.text() + ", undone: " + (s.tcp().handle() == next));
        RawId id = s.resolvedQueued();
        answer = s.client.raw(12, new RawBody(8).u64(0, NOWHERE).bytes(), 8, 336, -1, 0);
        s.see("GET_EVENT " + answer.text() + ", event still there: "
                + (s.event(id).uid() == id.uid()));
        RawCm cm = s.client;
        s.see("DESTROY_ID " + lost(cm, 1, id.handle()) + ", again "
                + id.destroy().text());
        int join = s.bound(s.udp(), Net.fresh())
                .join(MulticastCases.group(22), s.newUid(), 0)
                .first();
        s.see("LEAVE_MCAST " + lost(cm, 17, join) + ", again "
                + cm.leaveMcast(join).text());
    }

    /** A command whose body is the address of the reply and a handle. */
    private static String lost(RawCm cm, int command, int handle) {
        byte[] body = new RawBody(16).u64(0, NOWHERE).u32(8, handle).bytes();
        return cm.raw(command, body, 16, 4, -1, 0).text();
    }

    private static String paths(RawId id, int replyBytes) {
        ByteBuffer reply = id.cm().query(id.handle(), 1, replyBytes).buffer();
        return "counts " + reply.getInt(0) + ", writes a record: " + (reply.getInt(8) != 0);
    }

    private static void datagramLayout(Trial s) throws Exception {
        RawId listener = s.listener(s.udp(s.server), Net.fresh(), 4);
        RawId active = s.connecting(s.udp(), listener.local());
        byte[] data = Trial.bytes(136);
        s.server.reject(s.request(listener).handle(), data, 0).orFail("REJECT");
        RawEvent event = s.event(active);
        s.see(event.text() + ", 136 bytes there: "
                + (Trial.isPadded(event.ud().privateData(), data) && event.ud().privateData().length == 136));
    }

    private static Answer bindIb(RawId id) {
        IbSocketAddress any = new IbSocketAddress(0, new Gid(0, 0), 0x0000_0000_0106_0000L, 0xffff_ffff_ffff_0000L, 0);
        RawBody body = new RawBody(136).u32(0, id.handle()).address(4, 8, any);
        return id.cm().raw(CmCommands.RDMA_USER_CM_CMD_BIND, body.bytes(), 136, 0, -1, 0);
    }

    private static long serviceId(RawId id) {
        Await.until("an answer", () -> id.cm().queryAddr(id.handle()).isOk());
        return id.address().src() instanceof IbSocketAddress ib ? ib.serviceId() : 0;
    }
}
