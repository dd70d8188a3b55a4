// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.semantics.behaviour;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** All behaviours: conformance cases 1 to 94, surprises 1 to 112, and facts that are in neither list. */
final class Behaviours {
    static final int CASES = 94;
    static final int SURPRISES = 112;

    private static final String ORDER = "CSF";
    private static final Map<String, Behaviour> BY_KEY = collect();

    private Behaviours() {}

    private static Map<String, Behaviour> collect() {
        Map<String, Behaviour> byKey = new LinkedHashMap<>();
        Stream.of(
                        AbiCases.all(),
                        BindCases.all(),
                        ResolveCases.all(),
                        ConnectCases.all(),
                        TeardownCases.all(),
                        MigrationCases.all(),
                        DatagramCases.all(),
                        MulticastCases.all(),
                        NewerCases.all(),
                        AbiSurprises.all(),
                        SyncSurprises.all(),
                        ConnectSurprises.all(),
                        AddressSurprises.all(),
                        LifetimeSurprises.all(),
                        GroupSurprises.all(),
                        CommandFacts.all(),
                        EventFacts.all(),
                        RemovalFacts.all())
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
    static List<Behaviour> all() {
        return List.copyOf(BY_KEY.values());
    }

    static Behaviour of(String key) {
        Behaviour behaviour = BY_KEY.get(key);
        if (behaviour == null) {
            throw new IllegalArgumentException("no behaviour " + key);
        }
        return behaviour;
    }

    /** Those with a script of this pace. */
    static List<Behaviour> ofPace(Pace pace) {
        return all().stream()
                .filter(b -> b.script() != null && b.pace() == pace)
                .toList();
    }

    /** The one whose script speaks for it: itself, or the one that it is like. */
    static Behaviour played(Behaviour behaviour) {
        String like = behaviour.like();
        return like == null ? behaviour : of(like);
    }
}
