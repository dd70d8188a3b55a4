// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.internal.ucm.Query.QueryAddrReply;
import io.github.rdma4j.internal.ucm.Query.QueryGidReply;
import io.github.rdma4j.internal.ucm.Query.QueryPathReply;
import io.github.rdma4j.internal.uverbs.QpAttrBytes;
import io.github.rdma4j.research.semantics.raw.Answer;
import io.github.rdma4j.research.semantics.raw.RawCm;
import io.github.rdma4j.verbs.attr.QpAttr;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/** A CM id as the kernel knows it: a handle on a descriptor. */
record RawId(RawCm cm, int handle, long uid) {
    static final int INIT = 1;
    static final int RTR = 2;
    static final int RTS = 3;

    private static final Duration RESOLVE = Duration.ofSeconds(5);

    /** The same id, which MIGRATE_ID has put on another descriptor. */
    RawId on(RawCm other) {
        return new RawId(other, handle, uid);
    }

    Answer bind(InetSocketAddress address) {
        return cm.bind(handle, address);
    }

    Answer resolveAddr(InetSocketAddress to) {
        return cm.resolveAddr(handle, null, to, RESOLVE);
    }

    Answer resolveAddr(InetSocketAddress to, Duration timeout) {
        return cm.resolveAddr(handle, null, to, timeout);
    }

    Answer resolveRoute() {
        return cm.resolveRoute(handle, RESOLVE);
    }

    Answer listen(int backlog) {
        return cm.listen(handle, backlog);
    }

    Answer connect(ConnParam param) {
        return cm.connect(handle, param);
    }

    Answer accept(ConnParam param) {
        return cm.accept(handle, uid, param);
    }

    Answer establish() {
        return cm.establish(handle);
    }

    Answer disconnect() {
        return cm.disconnect(handle);
    }

    Answer destroy() {
        return cm.destroyId(handle);
    }

    Answer notify(int event) {
        return cm.notify(handle, event);
    }

    Answer join(String group, long joinUid, int flags) {
        return cm.joinMcast(handle, joinUid, Net.address(group, 0), flags);
    }

    Answer setOption(int level, int name, byte[] value) {
        return cm.setOption(handle, level, name, value);
    }

    /** An option of level 0 with an int. */
    Answer setInt(int name, int value) {
        return setOption(0, name, new RawBody(4).u32(0, value).bytes());
    }

    /** An option of level 0 with a byte. */
    Answer setByte(int name, int value) {
        return setOption(0, name, new byte[] {(byte) value});
    }

    Answer initQpAttr(int state) {
        return cm.initQpAttr(handle, state);
    }

    /** The attributes that INIT_QP_ATTR returns for a state. The command must succeed. */
    QpAttr attr(int state) {
        Answer answer = initQpAttr(state).orFail("INIT_QP_ATTR(" + state + ")");
        return QpAttrBytes.decode(answer.buffer(), 0);
    }

    QueryAddrReply address() {
        return QueryAddrReply.decode(cm.queryAddr(handle).orFail("QUERY ADDR").buffer(), 0);
    }

    /** The address that it is bound to. */
    InetSocketAddress local() {
        return (InetSocketAddress) Objects.requireNonNull(address().src(), "not bound");
    }

    InetAddress localIp() {
        return local().getAddress();
    }

    boolean hasDevice() {
        return address().nodeGuid() != 0;
    }

    QueryPathReply paths() {
        Answer answer = cm.queryPath(handle).orFail("QUERY PATH");
        return QueryPathReply.decode(answer.buffer(), 0, answer.reply().length);
    }

    private QueryGidReply gids() {
        return QueryGidReply.decode(cm.queryGid(handle).orFail("QUERY GID").buffer(), 0);
    }

    boolean sgidIs(String host) {
        return gids().sgid().equals(Net.gid(host));
    }

    boolean dgidIs(String host) {
        return gids().dgid().equals(Net.gid(host));
    }

    /**
     * The answers to every command that takes a handle: {@code EINVAL to BIND, LISTEN; OK to DESTROY}. DESTROY is the
     * last.
     */
    String everyCommand() {
        Map<String, List<String>> byAnswer = new LinkedHashMap<>();
        commands()
                .forEach((name, command) -> byAnswer.computeIfAbsent(
                                command.get().text(), answer -> new ArrayList<>())
                        .add(name));
        if (byAnswer.size() == 1) {
            return byAnswer.keySet().iterator().next() + " to every command";
        }
        List<String> parts = new ArrayList<>();
        byAnswer.forEach((answer, names) -> parts.add(answer + " to " + String.join(", ", names)));
        return String.join("; ", parts);
    }

    private Map<String, Supplier<Answer>> commands() {
        Map<String, Supplier<Answer>> all = new LinkedHashMap<>();
        all.put("BIND", () -> bind(Net.fresh()));
        all.put("RESOLVE_ADDR", () -> resolveAddr(Net.fresh(), Duration.ofSeconds(1)));
        all.put("RESOLVE_ROUTE", this::resolveRoute);
        all.put("QUERY", () -> cm.queryAddr(handle));
        all.put("CONNECT", () -> connect(Trial.param()));
        all.put("LISTEN", () -> listen(1));
        all.put("ACCEPT", () -> accept(Trial.param()));
        all.put("REJECT", () -> cm.reject(handle));
        all.put("DISCONNECT", this::disconnect);
        all.put("INIT_QP_ATTR", () -> initQpAttr(RawId.INIT));
        all.put("SET_OPTION", () -> setByte(0, 0));
        all.put("NOTIFY", () -> notify(4));
        all.put("JOIN_MCAST", () -> join("239.9.9.9", 1, 0));
        all.put("DESTROY", this::destroy);
        return all;
    }
}
