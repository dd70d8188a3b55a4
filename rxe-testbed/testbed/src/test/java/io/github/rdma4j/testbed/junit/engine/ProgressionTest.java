// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.testbed.Backend;
import io.github.rdma4j.testbed.Testbed;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.EngineExecutionListener;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;

/** What is reported when a guest tells less than it should. */
class ProgressionTest implements EngineExecutionListener {
    private static final UniqueId ROOT = UniqueId.forEngine(SoftRoceEngine.ID);
    private static final GuestSpec SPEC = new GuestSpec("", 1, 0, Testbed.Device.RXE, 1, Backend.VM);

    private final List<String> events = new ArrayList<>();
    private final EngineDescriptor root = new EngineDescriptor(ROOT, "Soft-RoCE");
    private final MirroredTest type = add(root, "class", "Type", TestDescriptor.Type.CONTAINER, false);
    private final MirroredTest first = add(type, "method", "first", TestDescriptor.Type.TEST, false);
    private final MirroredTest second = add(type, "method", "second", TestDescriptor.Type.TEST, false);
    private final MirroredTest template = add(type, "test-template", "template", TestDescriptor.Type.CONTAINER, true);
    private final Progression progression = new Progression(List.of(type), this);

    private static MirroredTest test(
            TestDescriptor parent, String segment, String name, TestDescriptor.Type kind, boolean registers) {
        UniqueId id = parent.getUniqueId().append(segment, name);
        return new MirroredTest(
                id, new MirroredTest.Traits(id.toString(), name, name, kind, registers, Set.of(), null), SPEC);
    }

    private static MirroredTest add(
            TestDescriptor parent, String segment, String name, TestDescriptor.Type kind, boolean registers) {
        MirroredTest test = test(parent, segment, name, kind, registers);
        parent.addChild(test);
        return test;
    }

    @Override
    public void executionStarted(TestDescriptor test) {
        events.add("started " + test.getDisplayName());
    }

    @Override
    public void executionFinished(TestDescriptor test, TestExecutionResult result) {
        events.add(result.getStatus().name().toLowerCase(Locale.ROOT) + " " + test.getDisplayName()
                + result.getThrowable()
                        .map(thrown -> ": " + thrown.getMessage())
                        .orElse(""));
    }

    private void succeed(MirroredTest test) {
        progression.start(test);
        progression.finish(test, TestExecutionResult.successful());
    }

    @Test
    void aTestThatTheGuestDidNotRunFails() {
        progression.start(type);
        succeed(first);
        succeed(template);
        succeed(type);
        assertThat(events)
                .containsExactly(
                        "started Type",
                        "started first",
                        "successful first",
                        "started template",
                        "successful template",
                        "started second",
                        "failed second: the guest sent no result of this test",
                        "successful Type");
        assertThat(progression.left()).isEmpty();
    }

    /** Its methods run in its invocations, as other tests. */
    @Test
    void aClassThatIsATemplateNeedsNoResultsOfItsMethods() {
        MirroredTest templates = add(root, "class-template", "Templates", TestDescriptor.Type.CONTAINER, false);
        add(templates, "method", "prototype", TestDescriptor.Type.TEST, false);
        Progression told = new Progression(List.of(templates), this);
        MirroredTest invocation =
                test(templates, "class-template-invocation", "invocation", TestDescriptor.Type.CONTAINER, false);
        told.start(templates);
        told.registered(templates, invocation);
        told.start(invocation);
        told.finish(invocation, TestExecutionResult.successful());
        told.finish(templates, TestExecutionResult.successful());
        assertThat(events)
                .containsExactly(
                        "started Templates", "started invocation", "successful invocation", "successful Templates");
        assertThat(told.left()).isEmpty();
    }

    @Test
    void aTestWhoseEndIsNotToldFails() {
        progression.start(first);
        succeed(second);
        succeed(template);
        progression.finish(type, TestExecutionResult.failed(new IllegalStateException("in @AfterAll")));
        assertThat(events).contains("failed first: the guest sent no result of this test", "failed Type: in @AfterAll");
    }

    @Test
    void anInvocationWhoseEndIsNotToldFails() {
        MirroredTest invocation = test(template, "test-template-invocation", "#1", TestDescriptor.Type.TEST, false);
        progression.start(template);
        progression.registered(template, invocation);
        progression.start(invocation);
        succeed(template);
        assertThat(events)
                .containsSubsequence(
                        "started #1", "failed #1: the guest sent no result of this test", "successful template");
    }

    @Test
    void theEndOfTheRunFailsWhatTheGuestDidNotEnd() {
        succeed(first);
        progression.start(second);
        progression.start(template);
        progression.finishContainers();
        assertThat(events)
                .contains(
                        "failed second: the guest sent no result of this test",
                        "failed template: the guest sent no result of this test",
                        "successful Type");
    }

    @Test
    void aClassThatFailedOrWasSkippedAnswersForItsTests() {
        progression.start(type);
        progression.finish(type, TestExecutionResult.failed(new IllegalStateException("in @BeforeAll")));
        assertThat(progression.left()).isEmpty();
        progression.finishContainers();
        assertThat(events).containsExactly("started Type", "failed Type: in @BeforeAll");
    }
}
