// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics.behaviour;

import io.github.rdma4j.lab.semantics.raw.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Every command that takes the handle of an id, given to one id after the other; the answers in one line. */
final class EveryCommand {
    private EveryCommand() {}

    /** {@code EINVAL: BIND, LISTEN; OK: DESTROY}. DESTROY is the last. */
    static String to(RawId id) {
        Map<String, List<String>> byAnswer = new LinkedHashMap<>();
        commands(id)
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

    private static Map<String, Supplier<Answer>> commands(RawId id) {
        Map<String, Supplier<Answer>> all = new LinkedHashMap<>();
        all.put("BIND", () -> id.bind(Net.fresh()));
        all.put("RESOLVE_ADDR", () -> id.resolveAddr(Net.fresh(), Duration.ofSeconds(1)));
        all.put("RESOLVE_ROUTE", id::resolveRoute);
        all.put("QUERY", () -> id.cm().queryAddr(id.handle()));
        all.put("CONNECT", () -> id.connect(Trial.param()));
        all.put("LISTEN", () -> id.listen(1));
        all.put("ACCEPT", () -> id.accept(Trial.param()));
        all.put("REJECT", () -> id.cm().reject(id.handle()));
        all.put("DISCONNECT", id::disconnect);
        all.put("INIT_QP_ATTR", () -> id.initQpAttr(RawId.INIT));
        all.put("SET_OPTION", () -> id.setByte(0, 0));
        all.put("NOTIFY", () -> id.notify(4));
        all.put("JOIN_MCAST", () -> id.join("239.9.9.9", 1, 0));
        all.put("DESTROY", id::destroy);
        return all;
    }
}
