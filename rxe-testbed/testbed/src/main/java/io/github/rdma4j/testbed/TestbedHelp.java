// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The pages of {@code --help}: a page about all subcommands, and a page for each subcommand. */
final class TestbedHelp {
    private static final int PURPOSE_COLUMN = 8;

    private enum Verb {
        RUN("[OPTION]... [--] COMMAND [ARGUMENT]...", """
                runs the command in a guest that sees this machine's files and has a soft-RoCE device
                """),
        SERVE("[OPTION]... [--node N --link DIR]", """
                starts such a guest for commands of other processes, until a signal ends it: the program of a container,
                see docs/testbed.md
                """),
        SETUP(
                "[--on uml] [--kernel VERSION] [--device NAME]... [--opensm] [--rdma-core]"
                        + " [--newer-rdma-core] [--docker] [--user-mode]",
                """
                downloads and prepares the kernel, as run does if the kernel is missing, and checks all files in the cache;
                with --on uml, builds the kernel of User Mode Linux from Debian's source, which takes minutes
                """);

        private final String arguments;
        private final String purpose;

        Verb(String arguments, String purpose) {
            this.arguments = arguments;
            this.purpose = purpose;
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        String line() {
            return ("testbed " + word() + " " + arguments).stripTrailing();
        }
    }

    private record Option(List<Verb> verbs, String text) {}

    private static Option of(String text, Verb... verbs) {
        return new Option(List.of(verbs), text);
    }

    private static final List<Option> OPTIONS = List.of(
            of("""
                    --kernel VERSION         the guest's kernel: 6.1 (default), 6.12 or 7.2
                    --arch NAME              the guest's processor: amd64 (default), arm64, or arm64-16k with pages of 16 KiB;
                                             arm64 has the kernels 6.1 and 6.12, arm64-16k has 6.12
                    """, Verb.RUN, Verb.SERVE, Verb.SETUP),
            of("""
                    --on uml|vm|host         run in a guest in User Mode Linux (default where its kernel is in the cache), in a
                                             guest in QEMU, or on this machine if it has an RDMA device
                    """, Verb.RUN),
            of("""
                    --on uml|vm              start the guest in User Mode Linux (default where its kernel is in the cache), or
                                             in QEMU
                    """, Verb.SERVE),
            of("""
                    --on uml|vm              prepare the kernel of User Mode Linux, or one for QEMU (default)
                    """, Verb.SETUP),
            of("""
                    --share DIR              let commands write to this directory of this machine; can be repeated
                    --memory MIB             the guest's memory (default 3072)
                    --cpus N                 the guest's processors (default 2)
                    --parallel               let emulated processors run at the same time; JVMs then need
                                             -XX:TieredStopAtLevel=1, or they crash
                    """, Verb.RUN, Verb.SERVE),
            of("""
                    --timeout SECONDS        end the guest if the command runs longer
                    --nodes N                boot N guests on one virtual Ethernet and run the command in the first; there
                                             "testbed-node K -- COMMAND" runs a command in guest K
                    --switches N             with --device ib: N switches in a row between the guests (default 1)
                    --pcap FILE              write every frame between the nodes to a capture file
                    """, Verb.RUN),
            of("""
                    --device NAME            rxe (soft-RoCE, by default), siw (iWARP), pvrdma (QEMU's RDMA device) or ib
                                             (InfiniBand)
                    """, Verb.RUN, Verb.SERVE),
            of("""
                    --ports N                with --device ib: N ports of the device, 1 (default) or 2
                    --subnet-manager N|none  with --device ib: the guest with the subnet manager (default 1)
                    """, Verb.RUN, Verb.SERVE),
            of("""
                    --device NAME            also prepare the device siw (iWARP), pvrdma or ib; can be repeated
                    """, Verb.SETUP),
            of("""
                    --no-rxe                 load no RDMA module and make no device
                    --kernel-argument WORD   add a word to the kernel's command line; can be repeated
                    """, Verb.RUN, Verb.SERVE),
            of("""
                    --times                  report on standard error the time of each stage of the run
                    """, Verb.RUN),
            of("""
                    --opensm                 also unpack Debian's OpenSM into the cache, for this project's own tests; it is
                                             not installed
                    --rdma-core              also unpack the libraries of rdma-core of Debian 13, with which providers are
                                             compared that need a later library than this machine's
                    --newer-rdma-core        the same of Debian's testing suite, for providers that need a library which no
                                             release of Debian has
                    --docker                 also unpack Debian's Docker engine into the cache, for this project's own tests;
                                             it is not installed
                    --user-mode              with --arch: also unpack QEMU for single programs, and print the path of a java
                                             that runs without a guest, on this machine's kernel
                    """, Verb.SETUP),
            of("""
                    --node N, --link DIR     the guest is node N of several, whose processes meet in DIR; node 1 must run
                                             before the others are ready
                    """, Verb.SERVE));

    private static final String STATUS = """

            The status is the command's, 128 + N if signal N killed it; 2: usage, 121: the guest's kernel panicked,
            122: the guest ran out of memory, 123: the guest hung, 124: --timeout, 125: the testbed failed.
            """;

    private TestbedHelp() {}

    /** The page of the subcommands. */
    static String page() {
        String lines = Arrays.stream(Verb.values()).map(Verb::line).collect(Collectors.joining("\n       "));
        String purposes = Arrays.stream(Verb.values())
                .map(verb -> verb.word()
                        + verb.purpose
                                .indent(PURPOSE_COLUMN)
                                .substring(verb.word().length()))
                .collect(Collectors.joining());
        return "usage: " + lines + "\n\n" + purposes + "\ntestbed SUBCOMMAND --help shows the options.\n" + STATUS;
    }

    /** The page of one subcommand. */
    static String page(String word) {
        Verb verb = Verb.valueOf(word.toUpperCase(Locale.ROOT));
        String options = OPTIONS.stream()
                .filter(option -> option.verbs.contains(verb))
                .map(option -> option.text.indent(2))
                .collect(Collectors.joining());
        return "usage: " + verb.line() + "\n\n" + verb.purpose + (options.isEmpty() ? "" : "\n" + options)
                + (verb == Verb.RUN ? STATUS : "");
    }
}
