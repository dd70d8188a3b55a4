// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import io.github.rdma4j.testbed.Backend;
import io.github.rdma4j.testbed.junit.SoftRoce;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.EngineDiscoveryListener;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.discovery.IterationSelector;
import org.junit.platform.engine.discovery.MethodSelector;
import org.junit.platform.engine.discovery.UniqueIdSelector;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;

/** Finds tests with Jupiter, and takes over those with {@link SoftRoce} from Jupiter's tree. */
final class Mirror {
    static final String JUPITER = "junit-jupiter";

    /** The type of the segment that distinguishes the guests of a class, if its methods need several guests. */
    static final String GUEST = "guest";

    static final UniqueId ROOT = UniqueId.forEngine(JUPITER);

    private final TestDescriptor root;
    private final GuestSpec.Settings settings;
    private final Map<Key, MirroredTest> mirrored = new HashMap<>();

    /** The first specification of a class has no segment. */
    private final Map<UniqueId, GuestSpec> plain = new HashMap<>();

    private record Key(UniqueId jupiterId, GuestSpec spec) {}

    Mirror(TestDescriptor root, GuestSpec.Settings settings) {
        this.root = root;
        this.settings = settings;
    }

    /** Mirrors the tests of Jupiter's engine and claims them. */
    void addAll(TestEngine jupiter, EngineDiscoveryRequest request) {
        UniqueId rootId = root.getUniqueId();
        discover(jupiter, request, rootId, selector -> true).getChildren().forEach(child -> add(child, null));
        List<DiscoverySelector> narrow = Stream.concat(
                        request.getSelectorsByType(UniqueIdSelector.class).stream(),
                        request.getSelectorsByType(IterationSelector.class).stream())
                .filter(this::selectsInvocations)
                .toList();
        if (!narrow.isEmpty()) {
            Set<String> whole = new HashSet<>();
            discover(jupiter, request, rootId, selector -> !narrow.contains(selector))
                    .accept(test -> whole.add(test.getUniqueId().toString()));
            List<MirroredTest> parts = mirrored.values().stream()
                    .filter(test -> test.mayRegisterTests() && !whole.contains(test.jupiterId()))
                    .toList();
            narrow.forEach(selector -> parts.forEach(test -> restrict(test, selector)));
        }
    }

    private boolean selectsInvocations(DiscoverySelector selector) {
        return selector instanceof IterationSelector
                || (selector instanceof UniqueIdSelector id
                        && mirrored.values().stream().anyMatch(test -> isInvocation(toJupiter(id), test)));
    }

    private UniqueId toJupiter(UniqueIdSelector selector) {
        return toJupiter(selector.getUniqueId(), root.getUniqueId());
    }

    private static boolean isInvocation(UniqueId selected, MirroredTest test) {
        UniqueId id = UniqueId.parse(test.jupiterId());
        return test.mayRegisterTests() && selected.hasPrefix(id) && !selected.equals(id);
    }

    // Jupiter does not tell which invocations it will leave out.
    private void restrict(MirroredTest test, DiscoverySelector selector) {
        if (selector instanceof UniqueIdSelector id && isInvocation(toJupiter(id), test)) {
            test.restrictTo(toJupiter(id).toString());
        }
        if (selector instanceof IterationSelector iteration
                && iteration.getParentSelector() instanceof MethodSelector method) {
            boolean selected = test.getSource()
                    .filter(source -> source instanceof MethodSource found
                            && found.getJavaMethod().equals(method.getJavaMethod()))
                    .isPresent();
            if (selected) {
                String segment = test.isFactory() ? "dynamic-test" : "test-template-invocation";
                for (int index : new TreeSet<>(iteration.getIterationIndices())) {
                    UniqueId id = UniqueId.parse(test.jupiterId()).append(segment, "#" + (index + 1));
                    test.restrictTo(id.toString());
                }
            }
        }
    }

    private void add(TestDescriptor test, @Nullable GuestSpec inherited) {
        GuestSpec own = element(test)
                .flatMap(element -> AnnotationSupport.findAnnotation(element, SoftRoce.class))
                .map(annotation -> GuestSpec.of(annotation, settings))
                .orElse(inherited);
        GuestSpec spec = own != null && own.backend() == Backend.HOST ? null : own;
        if (spec != null) {
            mirror(test, spec);
            Claims.add(besides(root.getUniqueId(), test.getUniqueId()));
        }
        Set<? extends TestDescriptor> children = test.getChildren();
        children.forEach(child -> add(child, own));
    }

    /** The class or method behind a test. */
    static Optional<AnnotatedElement> element(TestDescriptor test) {
        return test.getSource().map(source -> {
            if (source instanceof ClassSource type) {
                return type.getJavaClass();
            }
            return source instanceof MethodSource method ? method.getJavaMethod() : null;
        });
    }

    private MirroredTest mirror(TestDescriptor test, GuestSpec spec) {
        Key key = new Key(test.getUniqueId(), spec);
        MirroredTest known = mirrored.get(key);
        if (known != null) {
            return known;
        }
        TestDescriptor jupiterParent = test.getParent().orElseThrow();
        TestDescriptor parent = jupiterParent.isRoot() ? root : mirror(jupiterParent, spec);
        UniqueId prefix = parent.getUniqueId();
        if (jupiterParent.isRoot()
                && !plain.computeIfAbsent(test.getUniqueId(), id -> spec).equals(spec)) {
            prefix = prefix.append(GUEST, spec.toString());
        }
        MirroredTest mirror = new MirroredTest(
                prefix.append(test.getUniqueId().getLastSegment()), MirroredTest.Traits.of(test), spec);
        mirrored.put(key, mirror);
        parent.addChild(mirror);
        return mirror;
    }

    /** Jupiter's engine; empty if the class path has none. */
    static Optional<TestEngine> engine() {
        for (TestEngine engine : ServiceLoader.load(TestEngine.class)) {
            if (engine.getId().equals(JUPITER)) {
                return Optional.of(engine);
            }
        }
        return Optional.empty();
    }

    /** Jupiter's tests for some of the selectors of a request to the engine with this id. */
    static TestDescriptor discover(
            TestEngine jupiter, EngineDiscoveryRequest request, UniqueId rootId, Predicate<DiscoverySelector> some) {
        return jupiter.discover(toJupiter(request, rootId, some), ROOT);
    }

    // A proxy, because the methods of the interface change between releases of the platform.
    private static EngineDiscoveryRequest toJupiter(
            EngineDiscoveryRequest request, UniqueId rootId, Predicate<DiscoverySelector> some) {
        return (EngineDiscoveryRequest) Proxy.newProxyInstance(
                Mirror.class.getClassLoader(),
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

    /** The id of a test of {@link #discover} in the Jupiter engine beside this root, at the top or in a suite. */
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
