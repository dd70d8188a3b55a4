// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.AbstractTestDescriptor;

/** A class, method or invocation of Jupiter in this engine's tree. */
final class MirroredTest extends AbstractTestDescriptor {
    private final Traits traits;
    private final GuestSpec spec;

    /** The invocations that were selected by id; empty for all. */
    private final Set<String> invocations = new LinkedHashSet<>();

    /** The properties that {@link MirroredTest} takes over. */
    record Traits(
            String jupiterId,
            String displayName,
            String legacyName,
            Type type,
            boolean registersTests,
            Set<TestTag> tags,
            @Nullable TestSource source) {
        static Traits of(TestDescriptor descriptor) {
            return new Traits(
                    descriptor.getUniqueId().toString(),
                    descriptor.getDisplayName(),
                    descriptor.getLegacyReportingName(),
                    descriptor.getType(),
                    descriptor.mayRegisterTests(),
                    descriptor.getTags(),
                    descriptor.getSource().orElse(null));
        }
    }

    MirroredTest(UniqueId id, Traits traits, GuestSpec spec) {
        super(id, traits.displayName(), traits.source());
        this.traits = traits;
        this.spec = spec;
    }

    GuestSpec spec() {
        return spec;
    }

    String jupiterId() {
        return traits.jupiterId();
    }

    /** Whether the tests in this test are dynamic tests and not invocations of a template. */
    boolean isFactory() {
        return getUniqueId().getLastSegment().getType().equals("test-factory");
    }

    /** Restricts the test to an invocation; can be called several times. */
    void restrictTo(String jupiterIdOfInvocation) {
        invocations.add(jupiterIdOfInvocation);
    }

    /** The ids that the guest must run: the test, or some of its invocations. */
    Set<String> jupiterIdsToRun() {
        return invocations.isEmpty() ? Set.of(jupiterId()) : invocations;
    }

    @Override
    public Type getType() {
        return traits.type();
    }

    @Override
    public Set<TestTag> getTags() {
        return traits.tags();
    }

    @Override
    public String getLegacyReportingName() {
        return traits.legacyName();
    }

    @Override
    public boolean mayRegisterTests() {
        return traits.registersTests();
    }
}
