// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import io.github.rdma4j.research.semantics.situation.Table;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** All behaviours: conformance cases 1 to 94, surprises 1 to 112, facts that are in neither list, and
 * those of InfiniBand only. */
public final class Behaviours {
    public static final int CASES = 94;
    public static final int SURPRISES = 112;

    private static final String ORDER = "CSFI";
    private static final Map<String, Behaviour> BY_KEY = collect();

    private Behaviours() {}

    private static Map<String, Behaviour> collect() {
        Map<String, Behaviour> byKey = new LinkedHashMap<>();
        Stream.of(
                        AbiCases.all(),
                        AddressCases.all(),
                        ConnectCases.all(),
                        EndCases.all(),
                        DatagramCases.all(),
                        RemovalFacts.all(),
                        InfiniBandFacts.all(),
                        Table.resource("untried.tsv").map(Behaviour::untried).toList())
                .flatMap(List::stream)
                .sorted(Comparator.<Behaviour>comparingInt(b -> ORDER.indexOf(b.list()))
                        .thenComparingInt(Behaviour::number))
                .forEach(b -> {
                    if (byKey.put(b.key(), b) != null) {
                        throw new IllegalStateException("two behaviours " + b.key());
                    }
                });
        return byKey;
    }

    /** In the order of their lists and numbers. */
    public static List<Behaviour> all() {
        return List.copyOf(BY_KEY.values());
    }

    /** The behaviour with this key. */
    public static Optional<Behaviour> find(String key) {
        return Optional.ofNullable(BY_KEY.get(key));
    }

    /** The behaviour whose experiment measures it: itself, or the one that it is like. */
    public static Behaviour measured(Behaviour behaviour) {
        String like = behaviour.like();
        return like == null ? behaviour : find(like).orElseThrow();
    }
}
