// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import static io.github.rdma4j.research.semantics.behaviour.Behaviour.quick;

import io.github.rdma4j.cm.IbSocketAddress;
import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.internal.ucm.Query.QueryAddrReply;
import io.github.rdma4j.internal.ucm.SetOption.OptionNames;
import io.github.rdma4j.research.semantics.guest.Adapter;
import io.github.rdma4j.research.semantics.raw.Answer;
import io.github.rdma4j.research.semantics.raw.RawCm;
import io.github.rdma4j.research.semantics.raw.RawId;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Answers to commands that are in neither list (sections 1.4 and 1.6 of their source). */
final class CommandFacts {
    private CommandFacts() {}

    static List<Behaviour> all() {
        return List.of(
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
}
