// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.EngineDiscoveryListener;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.discovery.UniqueIdSelector;

/** Finds the tests with Jupiter. */
final class JupiterDiscovery {
    static final String JUPITER = "junit-jupiter";

    /** The type of the segment that distinguishes the guests of a class, if its methods need several guests. */
    static final String GUEST = "guest";

    static final UniqueId ROOT = UniqueId.forEngine(JUPITER);

    private JupiterDiscovery() {}

    /** Jupiter's engine; empty if the class path has none. */
    static Optional<TestEngine> engine() {
        for (TestEngine engine : ServiceLoader.load(TestEngine.class)) {
            if (engine.getId().equals(JUPITER)) {
                return Optional.of(engine);
            }
        }
        return Optional.empty();
    }

    /** Jupiter's tests for a request to the engine with this id. */
    static TestDescriptor discover(TestEngine jupiter, EngineDiscoveryRequest request, UniqueId rootId) {
        return discover(jupiter, request, rootId, selector -> true);
    }

    /** Jupiter's tests for some of the selectors of a request. */
    static TestDescriptor discover(
            TestEngine jupiter, EngineDiscoveryRequest request, UniqueId rootId, Predicate<DiscoverySelector> some) {
        return jupiter.discover(toJupiter(request, rootId, some), ROOT);
    }

    // A proxy, because the methods of the interface change between releases of the platform.
    private static EngineDiscoveryRequest toJupiter(
            EngineDiscoveryRequest request, UniqueId rootId, Predicate<DiscoverySelector> some) {
        return (EngineDiscoveryRequest) Proxy.newProxyInstance(
                JupiterDiscovery.class.getClassLoader(),
                new Class<?>[] {EngineDiscoveryRequest.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("getSelectorsByType")) {
                        return selectors(request, (Class<?>) arguments[0], some).stream()
                                .map(selector -> toJupiter(selector, rootId))
                                .collect(Collectors.toList());
                    }
                    if (method.getName().equals("getDiscoveryListener")) {
                        // Jupiter's own discovery reports the same events.
                        return EngineDiscoveryListener.NOOP;
                    }
                    try {
                        return method.invoke(request, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static List<? extends DiscoverySelector> selectors(
            EngineDiscoveryRequest request, Class<?> type, Predicate<DiscoverySelector> some) {
        return request.getSelectorsByType(type.asSubclass(DiscoverySelector.class)).stream()
                .filter(some)
                .toList();
    }

    private static DiscoverySelector toJupiter(DiscoverySelector selector, UniqueId rootId) {
        return selector instanceof UniqueIdSelector unique
                ? DiscoverySelectors.selectUniqueId(toJupiter(unique.getUniqueId(), rootId))
                : selector;
    }

    /** The id in Jupiter of a test of the engine with this root; other ids stay unchanged. */
    static UniqueId toJupiter(UniqueId id, UniqueId rootId) {
        if (!id.hasPrefix(rootId)) {
            return id;
        }
        UniqueId result = ROOT;
        List<UniqueId.Segment> segments = id.getSegments();
        for (UniqueId.Segment segment : segments.subList(rootId.getSegments().size(), segments.size())) {
            if (!segment.getType().equals(GUEST)) {
                result = result.append(segment);
            }
        }
        return result;
    }

    /** * The id of a test of {@link #discover} in the Jupiter engine beside this root, at the top or in a suite. */
    static UniqueId besides(UniqueId rootId, UniqueId jupiterId) {
        List<UniqueId.Segment> prefix = rootId.getSegments();
        UniqueId result = ROOT;
        if (prefix.size() > 1) {
            result = UniqueId.root(prefix.get(0).getType(), prefix.get(0).getValue());
            for (UniqueId.Segment segment : prefix.subList(1, prefix.size() - 1)) {
                result = result.append(segment);
            }
            result = result.appendEngine(JUPITER);
        }
        List<UniqueId.Segment> rest = jupiterId.getSegments();
        for (UniqueId.Segment segment : rest.subList(1, rest.size())) {
            result = result.append(segment);
        }
        return result;
    }
}
