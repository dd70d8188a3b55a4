// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.artifacts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The libraries as modules: what they export, what they hide, and what the JDK's tools make of them. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ModulesIT {
    /** The program, the libraries, and what they depend on. */
    private static final Path MODULES = Path.of("target", "modules").toAbsolutePath();

    private static final String PROGRAM = "io.github.rdma4j.modular";
    private static final String MAIN = PROGRAM + "/io.github.rdma4j.modular.ModularEcho";
    private static final String KERNEL = "io.github.rdma4j.kernel";
    private static final String UVERBS = "io.github.rdma4j.uverbs";
    private static final List<String> LIBRARIES = List.of(
            KERNEL,
            UVERBS,
            "io.github.rdma4j.netty",
            "io.github.rdma4j.cm",
            "io.github.rdma4j.rsocket",
            "io.github.rdma4j.nio",
            "io.github.rdma4j.netty.transport",
            "io.github.rdma4j.sm");

    private static ModuleReference module(String name) {
        return ModuleFinder.of(MODULES).find(name).orElseThrow();
    }

    private static List<ModuleDescriptor> libraries() {
        return LIBRARIES.stream().map(name -> module(name).descriptor()).toList();
    }

    @Test
    void theLibrariesExportThePackagesOfTheApiList() throws IOException {
        List<String> listed = Files.readAllLines(Path.of("..", "..", "docs", "api.txt")).stream()
                .map(type -> type.substring(0, type.lastIndexOf('.')))
                .filter(name -> !name.startsWith("io.github.rdma4j.test")) // testkit and testbed are no libraries
                .distinct()
                .toList();

        assertThat(libraries().stream()
                        .flatMap(library -> library.exports().stream())
                        .filter(export -> !export.isQualified())
                        .map(ModuleDescriptor.Exports::source))
                .containsExactlyInAnyOrderElementsOf(listed);
    }

    @Test
    void internalPackagesAreForModulesOfThisProject() {
        assertThat(libraries().stream()
                        .flatMap(library -> library.exports().stream())
                        .filter(ModuleDescriptor.Exports::isQualified))
                .isNotEmpty()
                .allSatisfy(export -> {
                    assertThat(export.source()).startsWith("io.github.rdma4j.internal.");
                    assertThat(export.targets()).allMatch(target -> target.startsWith("io.github.rdma4j."));
                });
    }

    /** On the class path providers are found by the file, on the module path by the descriptor. */
    @ParameterizedTest
    @ValueSource(strings = {UVERBS, "io.github.rdma4j.cards"})
    void descriptorAndServiceFilesNameTheSameProviders(String name) throws IOException {
        ModuleReference library = module(name);
        assertThat(library.descriptor().provides()).isNotEmpty();
        try (ModuleReader reader = library.open()) {
            assertThat(reader.list().filter(file -> file.matches("META-INF/services/.+")))
                    .hasSameSizeAs(library.descriptor().provides());
            for (ModuleDescriptor.Provides provides : library.descriptor().provides()) {
                try (InputStream file =
                        reader.open("META-INF/services/" + provides.service()).orElseThrow()) {
                    assertThat(new String(file.readAllBytes(), StandardCharsets.UTF_8).lines())
                            .containsExactlyElementsOf(provides.providers());
                }
                assertThat(module(UVERBS).descriptor().uses()).contains(provides.service());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.github.rdma4j.internal.fd.LinuxKernel",
                "io.github.rdma4j.internal.rxe.RxeProvider",
                "io.github.rdma4j.internal.ucm.UcmCommand.CmHeader"
            })
    void aProgramCannotNameAnInternalType(String type, @TempDir Path directory) throws IOException {
        Tool.Result result = compile(directory, type);

        assertThat(result.status()).isNotZero();
        assertThat(result.output()).contains("does not export it");
    }

    /** That the test above fails for the right reason. */
    @Test
    void aProgramCanNameATypeOfTheApi(@TempDir Path directory) throws IOException {
        compile(directory, "io.github.rdma4j.verbs.MemoryRegion").success();
    }

    private static Tool.Result compile(Path directory, String type) throws IOException {
        Path descriptor = Files.writeString(
                directory.resolve("module-info.java"), "module user { requires io.github.rdma4j.cm; }");
        Path program =
                Files.writeString(directory.resolve("User.java"), "package user; class User { " + type + " it; }");
        return Tool.jdk(
                "javac",
                "-d",
                directory.resolve("classes").toString(),
                "--module-path",
                MODULES.toString(),
                // Not that of this JVM, which has the libraries in the unnamed module.
                "--class-path",
                directory.resolve("classes").toString(),
                descriptor.toString(),
                program.toString());
    }

    /** Beside the JDK the classes of the library use JNR. */
    @Test
    void theLibraryDependsOnJnrAndNothingElse() {
        String output = jdeps("-summary", "--module", KERNEL).success();

        assertThat(output.lines().filter(line -> line.startsWith(KERNEL + " ->")))
                .containsExactlyInAnyOrder(
                        KERNEL + " -> java.base",
                        KERNEL + " -> not found", // JSpecify, which is for the compiler
                        KERNEL + " -> org.jnrproject.constants",
                        KERNEL + " -> org.jnrproject.ffi",
                        KERNEL + " -> org.jnrproject.jffi",
                        KERNEL + " -> org.jnrproject.posix");
    }

    private static Tool.Result jdeps(String... arguments) {
        String[] all = new String[arguments.length + 4];
        all[0] = "--module-path";
        all[1] = MODULES.toString();
        all[2] = "--multi-release";
        all[3] = "17";
        System.arraycopy(arguments, 0, all, 4, arguments.length);
        return Tool.jdk("jdeps", all);
    }

    /** JNR has no descriptors, and jlink takes no jar without. */
    @Test
    void jlinkTakesNoProgramWithJnr(@TempDir Path directory) {
        Tool.Result result = Tool.jdk(
                "jlink",
                "--module-path",
                MODULES.toString(),
                "--add-modules",
                PROGRAM,
                "--output",
                directory.resolve("image").toString());

        assertThat(result.status()).isNotZero();
        // Whether it names JNR's module or that of the native code differs from run to run.
        assertThat(result.output()).contains("automatic module cannot be used with jlink: ");
    }

    /** The way out: an image of the JDK's modules, with the jars beside it. */
    @Test
    void anImageOfTheJdkRunsTheProgram(@TempDir Path directory) throws Exception {
        Path image = directory.resolve("image");
        Tool.jdk("jlink", "--add-modules", "java.base,java.logging,jdk.unsupported", "--output", image.toString())
                .success();

        Tool.run(
                        directory,
                        Map.of(),
                        List.of(
                                image.resolve("bin/java").toString(),
                                "--module-path",
                                MODULES.toString(),
                                "--dry-run",
                                "--module",
                                MAIN))
                .success();
    }

    /** Without JUnit and Testcontainers, which the testbed can do without. */
    @Test
    void theCommandLineIsAProgramOfModules(@TempDir Path directory) throws Exception {
        Path target = Published.ROOT.resolve(Path.of("cli", "rdma4j", "target"));

        Tool.Result result = Tool.run(
                directory,
                Map.of(),
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--module-path",
                        target.resolve("rdma4j-cli.jar") + File.pathSeparator + target.resolve("lib"),
                        "--module",
                        "io.github.rdma4j.cli/io.github.rdma4j.cli.Main",
                        "--version"));

        assertThat(result.success()).contains(Published.VERSION);
    }
}
