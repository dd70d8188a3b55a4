// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import io.github.rdma4j.testbed.junit.SoftRoce;
import java.lang.reflect.AnnotatedElement;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;

/** Takes over from Jupiter's tree what carries {@link SoftRoce}. */
final class Mirror {
    /** The type of the segment that tells the guests of a class apart, if its methods want several. */
    static final String GUEST = "guest";

    private final TestDescriptor root;
    private final Settings settings;
    private final Map<Key, MirroredTest> mirrored = new HashMap<>();

    /** The first specification in which a class appears has no segment of its own. */
    private final Map<UniqueId, GuestSpec> plain = new HashMap<>();

    private record Key(UniqueId jupiterId, GuestSpec spec) {}

    Mirror(TestDescriptor root, Settings settings) {
        this.root = root;
        this.settings = settings;
    }

    /** Mirrors the tests of Jupiter's engine and claims them. */
    void addAll(TestDescriptor jupiter) {
        jupiter.getChildren().forEach(child -> add(child, null));
    }

    private void add(TestDescriptor test, @Nullable GuestSpec inherited) {
        GuestSpec own = element(test)
                .flatMap(element -> AnnotationSupport.findAnnotation(element, SoftRoce.class))
                .map(annotation -> GuestSpec.of(annotation, settings))
                .orElse(inherited);
        GuestSpec spec = own != null && own.backend().equals(Settings.HOST) ? null : own;
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
        if (jupiterParent.isRoot() && !plain.computeIfAbsent(test.getUniqueId(), id -> spec).equals(spec)) {
            prefix = prefix.append(GUEST, spec.toString());
        }
        MirroredTest mirror = new MirroredTest(
                prefix.append(test.getUniqueId().getLastSegment()), MirroredTest.Traits.of(test), spec);
        mirrored.put(key, mirror);
        parent.addChild(mirror);
        return mirror;
    }
}
