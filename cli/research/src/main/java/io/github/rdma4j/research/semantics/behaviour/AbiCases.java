// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import static io.github.rdma4j.research.semantics.behaviour.Behaviour.quick;

import io.github.rdma4j.cm.IbSocketAddress;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.ucm.AddressCommands.BindCommand;
import io.github.rdma4j.internal.ucm.UcmCommand.CmCommands;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.research.semantics.guest.Adapter;
import io.github.rdma4j.research.semantics.guest.Await;
import io.github.rdma4j.research.semantics.raw.Answer;
import io.github.rdma4j.research.semantics.raw.RawCm;
import io.github.rdma4j.research.semantics.raw.RawEvent;
import io.github.rdma4j.research.semantics.raw.RawId;
import io.github.rdma4j.verbs.attr.Gid;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** How commands are put to the kernel, and traps of handles. */
final class AbiCases {
    /** No page of a process is there. */
    private static final long NOWHERE = 16;

    private static final int ESTABLISHED = 9;
    private static final int USER = 18;
    private static final long ARG = 0x1122334455667788L;

    private AbiCases() {}

    static List<Behaviour> all() {
        return List.of(
                quick("C1", "an id is made", AbiCases::createId),
                quick(
                        "C2",
                        "a port space that there is not",
                        s -> s.see("CREATE_ID", s.client.createId(s.newUid(), 0x1234, 2))),
                quick("C3", "the handle of another descriptor, and of nobody", s -> {
                    RawId id = s.tcp();
                    s.see("another descriptor's: " + Trial.everyCommand(id.on(s.server)));
                    s.see("nobody's: " + Trial.everyCommand(new RawId(s.client, 0x7fffffff, 1)));
                }),
                quick("C4", "a command cut short", s -> {
                    s.see("7 bytes", s.client.write(new byte[7], -1, 0));
                    s.see(
                            "a header that tells of more than there is",
                            s.client.raw(CmCommands.RDMA_USER_CM_CMD_CREATE_ID, new byte[24], 25, 4, 8, 4));
                }),
                quick("C5", "too little room for the reply", s -> {
                    s.see("CREATE_ID", s.client.raw(CmCommands.RDMA_USER_CM_CMD_CREATE_ID, new byte[24], 24, 3, 8, 8));
                    s.see("QUERY", s.tcp().query(0, 271));
                    s.see(
                            "GET_EVENT",
                            s.client.raw(CmCommands.RDMA_USER_CM_CMD_GET_EVENT, new byte[8], 8, 323, 0, 400));
                }),
                quick("C6", "commands that there are not", s -> {
                    s.see("13", s.client.raw(13, new byte[64], 64, 8, 0, 64));
                    s.see("99", s.client.raw(99, new byte[64], 64, 8, 0, 64));
                }),
                quick("C7", "the queue of events is empty, and is not", s -> {
                    RawId id = s.tcp();
                    s.see("GET_EVENT", s.client.getEvent());
                    s.see("readable: " + s.client.isReadable());
                    id.resolveAddr(Net.fresh()).orFail("RESOLVE_ADDR");
                    boolean readable = KernelFd.of(s.client).awaitReadable(Deadline.after(Trial.LIMIT));
                    s.see("after RESOLVE_ADDR readable: " + readable);
                    s.expect(id, "ADDR_RESOLVED");
                    s.see("after GET_EVENT readable: " + s.client.isReadable());
                }),
                quick("C8", "an id whose uid is 0", s -> {
                    RawId id = s.client.newId(0, PortSpace.TCP);
                    s.see("RESOLVE_ADDR", id.resolveAddr(Net.fresh()));
                    s.see(Trial.names(s.eventsBeforeFence(s.client)));
                }),
                quick("C9", "an id is destroyed twice", s -> {
                    RawId id = s.routed(s.tcp(), Net.fresh());
                    s.see("events fetched 2, DESTROY_ID reports " + id.destroy().first());
                    s.see("again", id.destroy());
                }),
                quick("C10", "bytes behind a command", s -> {
                    byte[] body = body(40).put(0, (byte) 1)
                            .putShort(16, (short) PortSpace.TCP.code())
                            .array();
                    Answer answer = s.client.raw(CmCommands.RDMA_USER_CM_CMD_CREATE_ID, body, 24, 4, 8, 4);
                    s.see("CREATE_ID with 16 bytes too many: "
                            + (answer.result() == 48 ? "all 48 are written" : answer.result()));
                }),
                quick("S1", "handles are given again at once", s -> {
                    RawId first = s.tcp();
                    first.destroy().orFail("DESTROY");
                    s.see("the same handle after DESTROY_ID: " + (s.tcp().handle() == first.handle()));
                }),
                quick("S2", "joins have handles and uids of their own", s -> {
                    RawId id = s.bound(s.udp(), Net.fresh());
                    for (int i = 0; i < 40; i++) {
                        id = s.bound(s.udp(), Net.fresh());
                    }
                    long uid = s.newUid();
                    int join = id.join(Net.group(21), uid, 0).first();
                    RawEvent event = s.event(id);
                    s.see("event with uid and handle of the join: " + (event.uid() == uid && event.id() == join));
                    s.see("LEAVE_MCAST of a number that only an id has", s.client.leaveMcast(id.handle()));
                }),
                quick("S6", "a change of credentials", s -> s.see(Helper.run("credentials"))),
                quick("S7", "the length in the header is too small", s -> {
                    s.see("BIND of length 0", bind(s.tcp(), Net.fresh(), 0));
                    RawId id = s.routed(s.tcp(), Net.fresh());
                    ByteBuffer connect = body(288).putInt(272, id.handle());
                    Trial.param().encode(connect, 0, true);
                    s.see("CONNECT of length 0", s.client.raw(6, connect.array(), 0, 0, -1, 0));
                }),
                quick("S8", "a reply that cannot be written", s -> {
                    RawId next = s.tcp();
                    next.destroy().orFail("DESTROY");
                    ByteBuffer create = body(24).putLong(0, s.newUid())
                            .putLong(8, NOWHERE)
                            .putShort(16, (short) PortSpace.TCP.code());
                    Answer answer = s.client.raw(CmCommands.RDMA_USER_CM_CMD_CREATE_ID, create.array(), 24, 4, -1, 0);
                    s.see("CREATE_ID " + answer + ", undone: " + (s.tcp().handle() == next.handle()));
                    RawId id = s.resolvedQueued();
                    answer = s.client.raw(12, body(8).putLong(0, NOWHERE).array(), 8, 336, -1, 0);
                    s.see("GET_EVENT " + answer + ", event still there: "
                            + (s.event(id).uid() == id.uid()));
                    s.see("DESTROY_ID " + lost(s.client, 1, id.handle()) + ", again " + id.destroy());
                    RawId member = s.bound(s.udp(), Net.fresh());
                    int join = member.join(Net.group(22), s.newUid(), 0).first();
                    s.see("LEAVE_MCAST " + lost(s.client, 17, join) + ", again " + s.client.leaveMcast(join));
                }),
                quick("S9", "QUERY PATH in a buffer of exactly one record", s -> {
                    RawId id = s.routed(s.tcp(), Net.fresh());
                    s.see(paths(id, 80));
                    s.see("a byte more: " + paths(id, 81));
                }),
                quick("S10", "replies of the old sizes", s -> {
                    RawId id = s.resolvedQueued();
                    s.see("QUERY of 272 bytes", id.query(0, 272));
                    s.see("GET_EVENT of 324 bytes", s.client.raw(12, new byte[8], 8, 324, 0, 336));
                }),
                quick("S12", "all events of a datagram id have the datagram layout", s -> {
                    RawId listener = s.listener(s.udp(s.server), Net.fresh(), 4);
                    RawId active = s.connecting(s.udp(), listener.local());
                    byte[] data = Trial.bytes(136);
                    s.request(listener).reject(data, 0).orFail("REJECT");
                    RawEvent event = s.event(active);
                    s.see(event.text() + ", 136 bytes there: "
                            + (Trial.isPadded(event.ud().privateData(), data)
                                    && event.ud().privateData().length == 136));
                }),
                quick("S13", "the probe for InfiniBand addresses", s -> {
                    RawId id = s.tcp();
                    RawId ib = s.id(s.client, PortSpace.IB);
                    IbSocketAddress any =
                            new IbSocketAddress(0, new Gid(0, 0), 0x0000_0000_0106_0000L, 0xffff_ffff_ffff_0000L, 0);
                    Answer answer = bind(ib, any, BindCommand.BYTES);
                    Await.until("an answer", () -> ib.queryAddr().isOk());
                    long service = ib.address().src() instanceof IbSocketAddress bound ? bound.serviceId() : 0;
                    s.see("BIND of any AF_IB address " + answer + ", a TCP port: "
                            + (service >>> 16 == 0x106 && id.handle() != ib.handle()));
                }),
                quick("F13", "an option of 2 GiB", s -> {
                    ByteBuffer body = body(24).putInt(8, s.tcp().handle()).putInt(20, 0x7fffffff);
                    s.see(s.client.raw(14, body.array(), 24, 0, 0, 8).text());
                }),
                quick("C86", "an event of the program's own", s -> {
                    RawId id = s.bound(s.tcp(), Net.fresh());
                    Answer answer = id.writeCmEvent(USER, 7, ARG);
                    s.see("USER", answer);
                    if (answer.isOk()) {
                        RawEvent event = s.event(id);
                        s.see(event.text() + ", arg as written: " + (event.arg() == ARG));
                    }
                    s.see("ESTABLISHED", id.writeCmEvent(ESTABLISHED, 0, 0));
                }),
                quick("C87", "the services of InfiniBand", s -> {
                    s.see("unbound", s.tcp().resolveIbService(1));
                    s.see("bound", s.bound(s.tcp(), Net.fresh()).resolveIbService(1));
                }),
                quick("C90", "an id in another network namespace", s -> s.see(Helper.run("namespace", Adapter.IPV4))),
                quick("C91", "a connection over IPv6", s -> {
                    InetSocketAddress address = Net.fresh(Adapter.IPV6);
                    RawId listener = s.listener(s.tcp(s.server), address, 4);
                    RawId active = s.routed(s.tcp(), address);
                    Gid gid = Net.gid(Adapter.IPV6);
                    s.see("sgid fd77::1: " + active.gids().sgid().equals(gid) + ", dgid fd77::1: "
                            + active.gids().dgid().equals(gid));
                    active.connect(Trial.param()).orFail("CONNECT");
                    RawId passive = s.request(listener);
                    passive.accept(Trial.param()).orFail("ACCEPT");
                    s.see(s.event(active).text());
                    active.establish().orFail("ACCEPT without parameters");
                    s.see(s.event(passive).text());
                }),
                quick("C92", "GET_EVENT is interrupted by a signal", s -> s.see(Helper.run("signal", Adapter.IPV4))));
    }

    private static void createId(Trial s) {
        Answer one = s.client.createId(s.newUid(), PortSpace.TCP.code(), 2);
        s.see("CREATE_ID", one.result());
        int other = s.client.createId(s.newUid(), PortSpace.TCP.code(), 2).first();
        s.see("two ids have two handles: " + (one.first() != other));
    }

    /** BIND with this length of its body in the header. */
    private static Answer bind(RawId id, SocketAddress address, int length) {
        ByteBuffer body = body(BindCommand.BYTES);
        new BindCommand(id.handle(), address).encode(body, 0);
        return id.cm().raw(CmCommands.RDMA_USER_CM_CMD_BIND, body.array(), length, 0, -1, 0);
    }

    /** A command whose body is the address of the reply and a handle. */
    private static Answer lost(RawCm cm, int command, int handle) {
        byte[] body = body(16).putLong(0, NOWHERE).putInt(8, handle).array();
        return cm.raw(command, body, 16, 4, -1, 0);
    }

    private static String paths(RawId id, int replyBytes) {
        ByteBuffer reply = id.query(1, replyBytes).buffer();
        return "counts " + reply.getInt(0) + ", writes a record: " + (reply.getInt(8) != 0);
    }

    /** The body of a command, to be filled byte by byte, for commands that no other class would make like this. */
    private static ByteBuffer body(int length) {
        return ByteBuffer.allocate(length).order(ByteOrder.nativeOrder());
    }
}
