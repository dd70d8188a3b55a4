// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import static io.github.rdma4j.research.semantics.behaviour.Behaviour.quick;

import io.github.rdma4j.cm.IbSocketAddress;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.internal.ucm.AddressCommands.BindCommand;
import io.github.rdma4j.internal.ucm.Query.QueryAddrReply;
import io.github.rdma4j.internal.ucm.SetOption.OptionNames;
import io.github.rdma4j.internal.ucm.UcmCommand.CmCommands;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.research.semantics.kernel.Adapter;
import io.github.rdma4j.research.semantics.kernel.Answer;
import io.github.rdma4j.research.semantics.kernel.Await;
import io.github.rdma4j.research.semantics.kernel.Program;
import io.github.rdma4j.research.semantics.kernel.RawCm;
import io.github.rdma4j.research.semantics.kernel.RawEvent;
import io.github.rdma4j.research.semantics.kernel.RawId;
import io.github.rdma4j.verbs.attr.Gid;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** How commands are put to the kernel, what it answers, and traps of handles. */
@SuppressWarnings("ByteBufferBackingArray") // commands are built on the heap, from the first byte
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
                    RawId id = RawId.create(s.client, 0, PortSpace.TCP);
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
                quick("S6", "a change of credentials", s -> s.see(Program.said("credentials"))),
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
                quick("C90", "an id in another network namespace", s -> s.see(Program.said("namespace", Adapter.IPV4))),
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
                quick("C92", "GET_EVENT is interrupted by a signal", s -> s.see(Program.said("signal", Adapter.IPV4))),
                quick("F1", "a loopback destination", s -> {
                    RawId id = s.tcp();
                    id.resolveAddr(Net.fresh("127.0.0.1")).orFail("RESOLVE_ADDR");
                    s.see(s.event(id).text());
                    s.see("source " + id.localHost() + ", device: " + id.hasDevice());
                }),
                quick("F2", "a route given as an option", s -> {
                    RawId other = s.routed(s.tcp(), Net.fresh());
                    byte[] path = Arrays.copyOfRange(other.queryPath().reply(), 8, 80);
                    int name = OptionNames.RDMA_OPTION_IB_PATH;
                    s.see("bound", s.bound(s.tcp(), Net.fresh()).setOption(1, name, path));
                    RawId id = s.resolved(s.tcp(), Net.fresh());
                    s.see("71 bytes", id.setOption(1, name, Arrays.copyOf(path, 71)));
                    byte[] unmarked = path.clone();
                    unmarked[0] = 0;
                    s.see("flags 0", id.setOption(1, name, unmarked));
                    s.see("a path", id.setOption(1, name, path));
                    s.see(s.event(id).text());
                }),
                quick("F3", "REUSEADDR out of turn", s -> {
                    int reuse = OptionNames.RDMA_OPTION_ID_REUSEADDR;
                    s.see("1 byte", s.tcp().setByte(reuse, 1));
                    s.see("1 while listening", s.listener().setInt(reuse, 1));
                    s.see("0 while bound", s.bound(s.tcp(), Net.fresh()).setInt(reuse, 0));
                    s.see("1 while resolved", s.resolved(s.tcp(), Net.fresh()).setInt(reuse, 1));
                }),
                quick("F4", "AFONLY out of turn", s -> {
                    int only = OptionNames.RDMA_OPTION_ID_AFONLY;
                    s.see("1 byte", s.tcp().setByte(only, 1));
                    s.see("bound", s.bound(s.tcp(), Net.fresh()).setInt(only, 1));
                    s.see("resolved", s.resolved(s.tcp(), Net.fresh()).setInt(only, 1));
                }),
                quick("F5", "a backlog of 0 is the largest", s -> {
                    RawId listener = s.listener(s.tcp(s.server), Net.fresh(), 0);
                    for (int i = 0; i < 3; i++) {
                        s.connecting(listener);
                    }
                    for (int i = 0; i < 3; i++) {
                        s.request(listener);
                    }
                    s.see("0: 3 requests");
                    s.see("largest " + Net.setting("net/rdma_ucm/max_backlog"));
                }),
                quick("F6", "parameters that are not valid", s -> {
                    RawId active = s.routed(s.tcp(), Net.fresh());
                    s.see("CONNECT", active.connectInvalid());
                    s.see("with valid ones", active.connect(Trial.param()));
                }),
                quick("F7", "a request is answered without parameters", s -> {
                    Link link = Link.requested(s);
                    s.see("ACCEPT", link.passive().establish());
                    s.see("A", link.activeEvent(s));
                }),
                quick("F8", "rejections out of turn", s -> {
                    Link link = Link.requested(s);
                    s.see("reason 5", link.passive().reject(new byte[0], 5));
                    s.see("REJECT", link.passive().reject());
                    s.see("again", link.passive().reject());
                    s.expect(link.active(), "REJECTED");
                    s.see("established", Link.established(s).passive().reject());
                    s.see("not connected", s.routed(s.tcp(), Net.fresh()).reject());
                }),
                quick("F9", "disconnect without an effect", s -> {
                    s.see("listening", s.listener().disconnect());
                    Link link = Link.requested(s);
                    s.see("connecting", link.active().disconnect());
                    s.seeRest("A", s.client);
                    s.seeRest("P", s.server);
                }),
                quick("F10", "migrations that are refused", s -> {
                    RawId id = s.resolved(s.tcp(), Net.fresh());
                    RawCm other = s.open();
                    s.see("from a number that is no descriptor", id.migrateTo(other, 99_999));
                    Syscalls syscalls = LinuxKernel.running().syscalls();
                    int file = syscalls.open("/dev/null", Syscalls.O_RDWR);
                    s.see("from another file", id.migrateTo(other, file));
                    syscalls.close(file);
                    s.see("an id of another descriptor", id.on(s.server).migrateTo(other));
                    s.see("an unknown id", new RawId(s.client, 0x7fffffff, 0).migrateTo(other));
                    Answer same = id.migrateTo(s.client);
                    s.see("from and to the same " + same + ", reports " + same.first());
                }),
                quick("F11", "QUERY of an id that is not bound", s -> {
                    RawId id = s.tcp();
                    Answer answer = id.queryAddr();
                    s.see(answer + ", no addresses: "
                            + (id.address().src() == null && id.address().dst() == null) + ", device: "
                            + id.hasDevice());
                    s.see("option 9", id.query(9, 400));
                }),
                quick("F12", "the service id", s -> {
                    RawId id = s.bound(s.tcp(), Net.fresh());
                    QueryAddrReply reply = QueryAddrReply.decode(id.queryGid().buffer(), 0);
                    IbSocketAddress source = (IbSocketAddress) Objects.requireNonNull(reply.src());
                    s.see("port space and port: "
                            + (source.serviceId() == (0x0106_0000L | id.local().getPort())));
                    s.see("pkey as in QUERY ADDR: "
                            + (source.pkey() == id.address().pkey()));
                }),
                quick("F14", "ports that the kernel chooses", s -> {
                    String[] range = Net.setting("net/ipv4/ip_local_port_range").split("\\s+", -1);
                    InetSocketAddress any = Net.address(Adapter.IPV4, 0);
                    int one = s.bound(s.tcp(), any).local().getPort();
                    int two = s.bound(s.tcp(), any).local().getPort();
                    s.see("in the range: " + (one >= Integer.parseInt(range[0]) && one <= Integer.parseInt(range[1])));
                    s.see("two differ: " + (one != two));
                }),
                quick("F15", "the commands from before 3.11", s -> {
                    RawId id = s.udp();
                    s.see("BIND_IP", id.bindIp(Net.fresh()));
                    s.see("RESOLVE_IP", id.resolveIp(Net.fresh(), Duration.ofSeconds(5)));
                    s.see(s.event(id).text());
                    s.see("QUERY_ROUTE", id.queryRoute());
                    s.see("JOIN_IP_MCAST", id.joinIpMcast(Net.group(51), s.newUid()));
                }),
                quick("F16", "INIT_QP_ATTR of an id without a device, and of no state", s -> {
                    s.see("unbound", s.tcp().initQpAttr(RawId.INIT));
                    s.see("state 7", s.bound(s.tcp(), Net.fresh()).initQpAttr(7));
                }),
                quick("F17", "joins and leaves", s -> {
                    s.see("unknown join", s.client.leaveMcast(0x7fffffff));
                    RawId id = s.bound(s.udp(), Net.fresh());
                    int join = id.join(Net.group(52), s.newUid(), 0).first();
                    s.see("another descriptor's", s.server.leaveMcast(join));
                    RawId wild = s.bound(s.udp(), Net.fresh("0.0.0.0"));
                    s.see("bound to the wildcard", wild.join(Net.group(53), s.newUid(), 0));
                    RawId resolved = s.resolved(s.udp(s.server), Net.fresh());
                    s.see("resolved", resolved.join(Net.group(53), s.newUid(), 0));
                    RawId odd = s.bound(s.udp(s.open()), Net.fresh());
                    Answer answer = odd.join(Net.address("127.0.0.1", 0), s.newUid(), 0);
                    boolean zero =
                            answer.isOk() && s.event(odd).ud().ahAttr().dgid().isZero();
                    s.see("127.0.0.1 " + answer + ", dgid zero: " + zero);
                }),
                quick("F55", "a queue pair in a group is destroyed", DatagramCases::destroyAttached),
                quick("F56", "a datagram to the peer that was found", DatagramCases::datagram),
                quick("F18", "what an id counts", s -> {
                    RawId id = s.bound(s.udp(), Net.fresh());
                    int join = id.join(Net.group(54), s.newUid(), 0).first();
                    s.see(s.event(id).text() + " fetched: LEAVE_MCAST reports "
                            + s.client.leaveMcast(join).first() + ", DESTROY_ID reports "
                            + id.destroy().first());
                }));
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
