// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.cost;

import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.impl.RdmaProviderNat;
import io.github.rdma4j.providers.script.CProgram;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The kernel in C as a library, {@code pace.c} linked with it, and programs in Java in JVMs of their own that load it. Needs a C
 * compiler, libibverbs-dev, librdmacm-dev and ibverbs-providers; neither a device nor a privilege.
 *
 * @param directory where the programs are built and run
 * @param pace how long they measure
 */
record CostPrograms(Path directory, Pace pace) {
    /** The name of DiSNI's own native library, as DiSNI loads it. */
    private static final String LIBDISNI = "libdisni.so";

    private static final String PACKAGES = "gcc, libc6-dev, libibverbs-dev, librdmacm-dev and ibverbs-providers";

    /** The first use of a page of the heap costs more than what is measured. */
    private static final List<String> TOUCHED_HEAP = List.of("-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch");

    /** The sysfs in which the libraries find the devices; their nodes have the number of /dev/null, which is opened instead. */
    private static final Map<String, String> SYSFS = Map.of(
            "infiniband_verbs/abi_version", "6",
            "infiniband_verbs/uverbs0/abi_version", "2",
            "infiniband_verbs/uverbs0/dev", "1:3",
            "infiniband_verbs/uverbs0/ibdev", "rxe0",
            "infiniband/rxe0/node_type", "1: CA",
            "infiniband/rxe0/node_guid", "0000:0000:0000:1234",
            "misc/rdma_cm/dev", "1:3",
            "misc/rdma_cm/abi_version", "4");

    /**
     * How long everything takes.
     *
     * @param turns of the program in C and the program in Java
     * @param iterations of each benchmark in a turn
     * @param milliseconds of an iteration
     * @param warmUps batches that Java runs before it measures
     */
    record Pace(int turns, int iterations, int milliseconds, int warmUps) {
        static final Pace USUAL = new Pace(5, 5, 40, 3_000);
    }

    /** Builds the library and the program in C. */
    static CostPrograms build(Path directory, Pace pace) throws IOException, InterruptedException {
        CProgram.copy(CostPrograms.class, directory, List.of("kernel.h", "kernel.c", "queues.h", "pace.c", "disni.c"));
        CProgram.copy(CProgram.class, directory, List.of("pace.h"));
        CProgram.makeSysfs(directory, SYSFS);
        CostPrograms programs = new CostPrograms(directory, pace);
        String library = programs.library().toString();
        CProgram.compile(directory, PACKAGES, List.of("-O2", "-fPIC", "-shared", "-o", library, "kernel.c", "-ldl"));
        String path = "-Wl,-rpath," + directory;
        CProgram.compile(
                directory, PACKAGES, List.of("-O2", "-o", "pace", "pace.c", library, path, "-lrdmacm", "-libverbs"));
        return programs;
    }

    /** Copies libdisni into the directory, and builds what makes its objects. */
    void addLibdisni(Path libdisni) throws IOException, InterruptedException {
        Files.copy(libdisni, directory.resolve(LIBDISNI));
        List<String> options = List.of(
                "-O2", "-fPIC", "-shared", "-Wno-unused", "-o", objects().toString());
        List<String> command = new ArrayList<>(options);
        command.addAll(List.of("disni.c", "-libverbs"));
        CProgram.compile(directory, PACKAGES, command);
    }

    private Path library() {
        return directory.resolve("libkernel.so");
    }

    private Path objects() {
        return directory.resolve("libobjects.so");
    }

    /** The lines of {@code pace.c}. */
    List<String> measureC() throws IOException, InterruptedException {
        return run(List.of(
                directory.resolve("pace").toString(),
                String.valueOf(pace.milliseconds()),
                String.valueOf(pace.iterations())));
    }

    /** The lines of {@link CostPace}. */
    List<String> measureJava() throws IOException, InterruptedException {
        return java(CostPace.class, List.of(), List.of(sysfs()));
    }

    /** The lines of {@link DisniPace} over rdma4j, whose classes are found before DiSNI's of the same names. */
    List<String> measureDisni() throws IOException, InterruptedException {
        List<String> options = List.of("-cp", classPath(RdmaProviderNat.class));
        return java(DisniPace.class, options, List.of(DisniPace.RDMA4J, sysfs()));
    }

    /** The lines of {@link DisniPace} over libdisni, which finds the functions of the kernel in the place of libc's. */
    List<String> measureLibdisni() throws IOException, InterruptedException {
        List<String> options = List.of(
                "-cp",
                classPath(RdmaVerbs.class),
                "-Djava.library.path=" + directory,
                "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED");
        List<String> command = new ArrayList<>(List.of("env", "LD_PRELOAD=" + library()));
        command.addAll(command(
                DisniPace.class, options, List.of(DisniPace.LIBDISNI, objects().toString())));
        return run(command);
    }

    /** With the jar of the class first: the classes of rdma4j-disni have the names of DiSNI's own. */
    private static String classPath(Class<?> first) {
        String location =
                first.getProtectionDomain().getCodeSource().getLocation().getPath();
        return location + File.pathSeparator + System.getProperty("java.class.path");
    }

    private String sysfs() {
        return CProgram.sysfs(directory).toString();
    }

    private List<String> java(Class<?> program, List<String> options, List<String> arguments)
            throws IOException, InterruptedException {
        return run(command(program, options, arguments));
    }

    private List<String> command(Class<?> program, List<String> options, List<String> arguments) {
        List<String> command = new ArrayList<>(java(program, options, pace));
        command.add(library().toString());
        command.addAll(arguments);
        return command;
    }

    /** The program in a JVM of its own, with the arguments of a {@link PaceLoop}. */
    static List<String> java(Class<?> program, List<String> options, Pace pace) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(TOUCHED_HEAP);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(options);
        command.add(program.getName());
        command.addAll(List.of(
                String.valueOf(pace.milliseconds()),
                String.valueOf(pace.iterations()),
                String.valueOf(pace.warmUps())));
        return command;
    }

    private List<String> run(List<String> command) throws IOException, InterruptedException {
        return CProgram.run(directory, Path.of("/dev/null"), command);
    }
}
