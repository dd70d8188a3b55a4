// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectIteration;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectUniqueId;
import static org.junit.platform.launcher.EngineFilter.includeEngines;
import static org.junit.platform.launcher.TagFilter.includeTags;

import io.github.rdma4j.testbed.Backend;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.opentest4j.AssertionFailedError;

@Tag("slow")
class SoftRoceEngineTest {
    @AfterAll
    static void endGuests() throws InterruptedException {
        LocalRun.closeIdle(LocalRun.WORKERS);
    }

    private static LocalRun run(Class<?>... classes) {
        return LocalRun.of(request -> {
            for (Class<?> type : classes) {
                request.selectors(selectClass(type));
            }
            return request;
        });
    }

    @Nested
    class Discovery {
        @Test
        void aClassRunsInTheGuestAndNotHere() {
            assertThat(run(Samples.Passing.class).events)
                    .containsExactlyInAnyOrder(
                            "started a class",
                            "started one test",
                            "successful one test",
                            "started another()",
                            "successful another()",
                            "successful a class");
        }

        @Test
        void methodsOfAClassRunInDifferentPlaces() {
            LocalRun run = run(Samples.Mixed.class);
            assertThat(run.failures).isEmpty();
            assertThat(run.events).contains("successful local()", "successful remote()", "successful elsewhere()");
            assertThat(run.test("local()").getUniqueId()).startsWith("[engine:junit-jupiter]");
            assertThat(run.test("remote()").getUniqueId())
                    .startsWith("[engine:rdma4j-soft-roce]/[class:")
                    .doesNotContain("[guest:");
            assertThat(run.test("elsewhere()").getUniqueId()).contains("[guest:vm,rxe,memory=512]");
        }

        @Test
        void sourcesAndTagsAreThoseOfJupiter() {
            LocalRun run = run(Samples.Passing.class);
            assertThat(run.test("one test").getSource())
                    .get()
                    .isEqualTo(MethodSource.from(
                            Samples.Passing.class.getName(), "passes", "org.junit.jupiter.api.TestInfo"));
            assertThat(run.test("one test").getTags()).hasToString("[quick]");
            assertThat(run.test("one test").getLegacyReportingName()).isEqualTo("passes(TestInfo)");
            assertThat(run.test("a class").getSource()).get().isEqualTo(ClassSource.from(Samples.Passing.class));
        }
    }

    @Nested
    class Selection {
        @Test
        void aMethod() {
            LocalRun run = LocalRun.of(request -> request.selectors(selectMethod(Samples.Passing.class, "another")));
            assertThat(run.tests.keySet()).containsExactly("a class", "another()");
        }

        @Test
        void aTag() {
            LocalRun run = LocalRun.of(request ->
                    request.selectors(selectClass(Samples.Passing.class)).filters(includeTags("slow")));
            assertThat(run.tests.keySet()).containsExactly("a class", "another()");
        }

        @Test
        void anIdThatAnEarlierRunReported() {
            String id = run(Samples.Mixed.class).test("elsewhere()").getUniqueId();
            LocalRun again = LocalRun.of(request -> request.selectors(selectUniqueId(id)));
            assertThat(again.events).contains("successful elsewhere()").doesNotContain("started remote()");
        }

        @Test
        void anInvocationThatAnEarlierRunReported() {
            String id = run(Samples.Everything.class).test("value 3").getUniqueId();
            LocalRun again = LocalRun.of(request -> request.selectors(selectUniqueId(id)));
            assertThat(again.events).contains("successful value 3").doesNotContain("started value 1");
        }

        @Test
        void anInvocationByItsIndex() {
            LocalRun run = LocalRun.of(request -> request.selectors(
                    selectIteration(selectMethod(Samples.Everything.class, "parameterised", "int"), 0)));
            assertThat(run.events).contains("successful value 1").doesNotContain("started value 3");
        }

        @Test
        void aMethodAndOneOfItsInvocationsAreTheMethod() {
            LocalRun all = run(Samples.Everything.class);
            String method = all.test("parameterised(int)").getUniqueId();
            String invocation = all.test("value 3").getUniqueId();
            LocalRun again =
                    LocalRun.of(request -> request.selectors(selectUniqueId(invocation), selectUniqueId(method)));
            assertThat(again.events).contains("started value 1", "failed value 2", "successful value 3");
            LocalRun byIndex = LocalRun.of(request -> request.selectors(
                    selectClass(Samples.Everything.class),
                    selectIteration(selectMethod(Samples.Everything.class, "parameterised", "int"), 0)));
            assertThat(byIndex.events).contains("started value 1", "failed value 2", "successful value 3");
        }

        @Test
        void jupiterAloneFailsWithAHint() {
            LocalRun run = LocalRun.of(request ->
                    request.selectors(selectClass(Samples.Passing.class)).filters(includeEngines("junit-jupiter")));
            assertThat(run.failure("a class")).hasMessageContaining("include the test engine rdma4j-soft-roce");
        }

        @Test
        void thisEngineAloneRunsWhatIsAnnotated() {
            LocalRun run = LocalRun.of(request ->
                    request.selectors(selectClass(Samples.Mixed.class)).filters(includeEngines(SoftRoceEngine.ID)));
            assertThat(run.events).contains("successful remote()").doesNotContain("started local()");
        }

        @ParameterizedTest
        @CsvSource({"HOST, false", "VM, true"})
        void onTheHostAndInTheGuestJupiterRunsEverything(Backend backend, boolean inGuest) {
            LocalRun run = LocalRun.of(
                    new GuestSpec.Settings(backend, "", inGuest),
                    LocalRun.WORKERS,
                    request -> request.selectors(selectClass(Samples.Mixed.class)));
            assertThat(run.test("remote()").getUniqueId()).startsWith("[engine:junit-jupiter]");
        }
    }

    @Nested
    class Results {
        @Test
        void everyKindOfTestReports() {
            LocalRun run = run(Samples.Everything.class);
            assertThat(run.events)
                    .contains(
                            "registered value 1",
                            "successful value 1",
                            "failed value 2",
                            "successful parameterised(int)",
                            "successful repetition 2 of 2",
                            "registered dynamic b",
                            "successful dynamic b",
                            "aborted assumes()",
                            "skipped disabled()",
                            "successful first()",
                            "successful second()",
                            "failed slow()");
            assertThat(run.skips).containsEntry("disabled()", "for a reason");
            assertThat(run.failure("assumes()")).hasMessageContaining("not today");
            assertThat(run.failure("slow()")).isInstanceOf(java.util.concurrent.TimeoutException.class);
            assertThat(run.entries).contains(Map.of("key", "value"));
        }

        @Test
        void aFailureIsTheRealThrowable() {
            LocalRun run = run(Samples.Failing.class);
            AssertionFailedError compared = (AssertionFailedError) run.failure("compares()");
            assertThat(compared).hasMessageStartingWith("words ==> ");
            assertThat(compared.getExpected().getValue()).isEqualTo("left");
            assertThat(compared.getActual().getValue()).isEqualTo("right");
            assertThat(run.failure("throwsSerializable()")).isExactlyInstanceOf(IOException.class);
            assertThat(run.failure("throwsSerializable()").getStackTrace()[0].getMethodName())
                    .isEqualTo("throwsSerializable");
        }

        @Test
        void whatCannotBeSerializedLooksTheSame() {
            Throwable stubborn = run(Samples.Failing.class).failure("throwsStubborn()");
            assertThat(stubborn).hasToString(Samples.Failing.Stubborn.class.getName() + ": no way");
            assertThat(stubborn).hasMessage("no way");
            assertThat(stubborn.getStackTrace()[0].getMethodName()).isEqualTo("throwsStubborn");
            assertThat(stubborn.getCause()).hasToString("java.lang.IllegalStateException: because");
            assertThat(stubborn.getSuppressed()[0]).hasToString("java.lang.IllegalArgumentException: besides");
        }

        @Test
        void skipsAreJustified() {
            LocalRun run = run(Samples.Kernels.class);
            assertThat(run.skips.get("future()")).contains("is older than 99.1, which the test requires");
            assertThat(run.events).contains("successful past()", "skipped disabled()");
            assertThat(run.failure("evades()"))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("I would rather not");
            assertThat(run.failure("conditional()"))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("3.0 is new enough");
        }
    }

    @Nested
    class Output {
        private String captured(Class<?> type) {
            PrintStream out = System.out;
            PrintStream err = System.err;
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            PrintStream capture = new PrintStream(bytes, true, StandardCharsets.UTF_8);
            System.setOut(capture);
            System.setErr(capture);
            try {
                run(type);
            } finally {
                System.setOut(out);
                System.setErr(err);
            }
            return bytes.toString(StandardCharsets.UTF_8);
        }

        @Test
        void arrives() {
            assertThat(captured(Samples.Everything.class)).contains("to standard output: ä€\n", "to standard error\n");
        }

        @Test
        void namesTheGuestAndItsKernel() {
            assertThat(captured(Samples.Passing.class))
                    .contains("testbed: these tests run in a guest: vm,rxe, kernel " + System.getProperty("os.version")
                            + "\n");
        }

        @Test
        void ofChildrenAndDescriptorsArrivesAndDisturbsNothing() {
            assertThat(captured(Samples.Noisy.class)).contains("from a child\n", "error of a child\n", "raw bytes\n");
        }
    }

    @Nested
    class Deaths {
        @Test
        void theTestThatKillsItsGuestIsNamedAndTheRestRuns() {
            LocalRun run = run(Samples.Deadly.class);
            assertThat(run.failure("b()"))
                    .hasMessageContaining("the JVM in the guest ended with status 7: did a test call System.exit?");
            assertThat(run.failure("d 2")).hasMessageContaining("the JVM in the guest ended with status 8");
            assertThat(run.failure("d(int)")).hasMessageContaining("later tests did not run");
            assertThat(run.events)
                    .containsExactly(
                            "started Samples$Deadly",
                            "started a()",
                            "successful a()",
                            "started b()",
                            "failed b()",
                            "started c()",
                            "successful c()",
                            "started d(int)",
                            "registered d 1",
                            "started d 1",
                            "successful d 1",
                            "registered d 2",
                            "started d 2",
                            "failed d 2",
                            "failed d(int)",
                            "started e()",
                            "successful e()",
                            "successful Samples$Deadly");
        }

        @Test
        void aClassThatKillsItsGuestBeforeItsTestsFails() {
            LocalRun run = run(Samples.DeadlySetUp.class, Samples.Passing.class);
            assertThat(run.failure("Samples$DeadlySetUp")).hasMessageContaining("ended with status 9");
            assertThat(run.events).doesNotContain("started never()").contains("successful another()");
        }

        @Test
        void aGuestThatCannotStartFailsTheClass() {
            Workers none = new Workers(
                    (spec, command) -> {
                        throw new io.github.rdma4j.testbed.host.TestbedException("install qemu-system-x86");
                    },
                    JvmCommand::ofThisProcess);
            LocalRun run = LocalRun.of(none, request -> request.selectors(selectClass(Samples.Passing.class)));
            assertThat(run.events).containsExactly("started a class", "failed a class");
            assertThat(run.failure("a class")).hasMessage("install qemu-system-x86");
        }

        @Test
        void oneGuestServesManyClassesWhetherTheAnnotationIsTheirOwnOrInheritedOrOnAnother()
                throws InterruptedException {
            LocalRun.closeIdle(LocalRun.WORKERS);
            int before = LocalRun.PLACE.starts();
            assertThat(run(Samples.Passing.class, Samples.MetaAnnotated.class).events)
                    .contains("successful another()", "successful remote()");
            assertThat(run(Samples.Inheriting.class).events).contains("successful one test", "successful another()");
            assertThat(LocalRun.PLACE.starts()).isEqualTo(before + 1);
        }

        @Test
        void aGuestServesOnlyWhoWantsTheSameDebugger() throws InterruptedException {
            LocalRun.closeIdle(LocalRun.WORKERS);
            int before = LocalRun.PLACE.starts();
            run(Samples.Passing.class);
            System.setProperty(DebuggedJvm.PROPERTY, "0");
            try {
                run(Samples.Passing.class);
                run(Samples.Passing.class);
                assertThat(LocalRun.PLACE.starts()).isEqualTo(before + 2);
            } finally {
                System.clearProperty(DebuggedJvm.PROPERTY);
            }
            run(Samples.Passing.class);
            assertThat(LocalRun.PLACE.starts()).isEqualTo(before + 2);
        }

        @Test
        void asManyGuestsRunClassesAsTheCallerAllows(@TempDir Path place) throws InterruptedException {
            LocalRun.closeIdle(LocalRun.WORKERS);
            int before = LocalRun.PLACE.starts();
            System.setProperty(Samples.Meeting.PLACE, place.toString());
            try {
                LocalRun run = LocalRun.of(request -> request.configurationParameter(RequestRun.GUESTS, "2")
                        .selectors(
                                selectClass(Samples.MeetingHere.class),
                                selectClass(Samples.MeetingThere.class),
                                selectClass(Samples.Passing.class)));
                assertThat(run.failures).isEmpty();
                assertThat(run.events)
                        .contains(
                                "successful Samples$MeetingHere",
                                "successful Samples$MeetingThere",
                                "successful another()");
            } finally {
                System.clearProperty(Samples.Meeting.PLACE);
            }
            assertThat(LocalRun.PLACE.starts()).isEqualTo(before + 2);
        }

        @Test
        void anInterruptionEndsTheTests() {
            Workers interrupting = new Workers(
                    (spec, command) -> {
                        Thread.currentThread().interrupt();
                        return LocalRun.PLACE.start(spec, command);
                    },
                    JvmCommand::ofThisProcess);
            LocalRun run = LocalRun.of(interrupting, request -> request.selectors(selectClass(Samples.Passing.class)));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(run.failure("a class")).hasMessageContaining("interrupted");
        }
    }
}
