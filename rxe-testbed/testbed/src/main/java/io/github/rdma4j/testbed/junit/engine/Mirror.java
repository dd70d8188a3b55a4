// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import io.github.rdma4j.testbed.Backend;
import io.github.rdma4j.testbed.junit.SoftRoce;
import java.lang.reflect.AnnotatedElement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.IterationSelector;
import org.junit.platform.engine.discovery.MethodSelector;
import org.junit.platform.engine.discovery.UniqueIdSelector;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;

/** Takes over tests with {@link SoftRoce} from Jupiter's tree. */
final class Mirror {
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
        JupiterDiscovery.discover(jupiter, request, rootId).getChildren().forEach(child -> add(child, null));
        List<DiscoverySelector> narrow = Stream.concat(
                        request.getSelectorsByType(UniqueIdSelector.class).stream(),
                        request.getSelectorsByType(IterationSelector.class).stream())
                .filter(this::selectsInvocations)
                .toList();
        if (!narrow.isEmpty()) {
            Set<String> whole = new HashSet<>();
            JupiterDiscovery.discover(jupiter, request, rootId, selector -> !narrow.contains(selector))
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
        return JupiterDiscovery.toJupiter(selector.getUniqueId(), root.getUniqueId());
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
            Claims.add(JupiterDiscovery.besides(root.getUniqueId(), test.getUniqueId()));
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
            prefix = prefix.append(JupiterDiscovery.GUEST, spec.toString());
        }
        MirroredTest mirror = new MirroredTest(
                prefix.append(test.getUniqueId().getLastSegment()), MirroredTest.Traits.of(test), spec);
        mirrored.put(key, mirror);
        parent.addChild(mirror);
        return mirror;
    }
}
