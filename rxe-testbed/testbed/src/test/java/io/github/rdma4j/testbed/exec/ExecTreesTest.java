// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.exec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.testbed.host.Tool;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Directories that go through the exec server, on this machine in the place of a guest. */
@Timeout(120)
class ExecTreesTest extends ExecServerScenes {
    private Path path(String name) {
        return directory.resolve(name);
    }

    private void shell(Path where, String script) throws Exception {
        Tool.run("sh", "-c", "umask 022; cd \"$1\"; " + script, "sh", where.toString());
    }

    /** Everything about a tree that a copy keeps, in names that are not text as well. */
    private static String listing(Path tree) throws Exception {
        String script =
                "cd \"$1\"; find . -printf '%P %y %m %l\\n' | LC_ALL=C sort | od -c; find . -type f -exec md5sum {} + | sort";
        return Tool.run("sh", "-c", script, "sh", tree.toString());
    }

    private String errors(ExecChannel channel) throws Exception {
        String errors = text(channel.error());
        assertThat(status(channel)).as(errors).isNotZero();
        return errors;
    }

    private ExecChannel send(Path tree, Path target) throws Exception {
        ExecChannel channel = server.client.start("import", target.toString());
        try (OutputStream input = channel.input()) {
            Tree.write(tree, input);
        } catch (FileSystemException ofThisSide) {
            throw ofThisSide;
        } catch (IOException refused) {
            // The server reads no more when it has failed, and says why.
            assertThat(refused).hasMessage("Broken pipe");
            assertThat(status(channel)).isNotZero();
        }
        return channel;
    }

    private void fetch(Path tree, Path target) throws Exception {
        ExecChannel channel = server.client.start("export", tree.toString());
        try (InputStream in = new BufferedInputStream(channel.output())) {
            assertThat(in.read()).isEqualTo('d');
            Tree.read(in, target);
            assertThat(in.read()).isEqualTo(-1);
        }
        assertThat(status(channel)).isZero();
    }

    @Test
    void aTreeIsTheSameOnTheOtherSide() throws Exception {
        Path tree = Files.createDirectory(path("tree"));
        shell(tree, """
                mkdir -p a/b/c empty 'blank, comma' read-only
                head -c 300000 /dev/urandom > a/b/data; : > a/nothing; echo x > "$(printf 'new\\nline')"
                echo bytes > "$(printf '\\344\\377')"; echo umlaut > '\u00e4%41'; echo hidden > .hidden; echo e > etc
                ln -s b/data a/link; ln -s /none/absolute dangling; ln -s .. a/b/up; ln -s "$(printf '\\344')" a/bytes
                chmod 640 a/nothing; chmod 755 a/b/data; echo r > read-only/r; chmod 400 read-only/r; chmod 555 read-only
                chmod 700 empty
                """);
        String expected = listing(tree);

        ExecChannel in = send(tree, path("new/parent/copy"));
        assertThat(text(in.error())).isEmpty();
        assertThat(status(in)).isZero();
        assertThat(listing(path("new/parent/copy"))).isEqualTo(expected);

        fetch(tree, path("other/parent/copy"));
        assertThat(listing(path("other/parent/copy"))).isEqualTo(expected);
        shell(directory, "chmod -R u+rwX .");
    }

    @Test
    void whatIsThereIsReplacedAndTheRestStays() throws Exception {
        Path tree = path("tree");
        Files.createDirectories(tree.resolve("d"));
        shell(tree, "echo new > d/file; ln -s new d/link; echo new > d/was-link");
        for (String name : new String[] {"sent", "fetched"}) {
            Path target = path(name);
            Files.createDirectories(target.resolve("d"));
            shell(
                    target,
                    "echo old > d/file; echo old > d/link; echo other > d/other; echo o > ../o; ln -s ../../o d/was-link");
        }

        assertThat(status(send(tree, path("sent")))).isZero();
        fetch(tree, path("fetched"));

        assertThat(listing(path("sent"))).isEqualTo(listing(path("fetched")));
        for (String name : new String[] {"sent", "fetched"}) {
            assertThat(path(name + "/d/file")).hasContent("new\n");
            assertThat(Files.readSymbolicLink(path(name + "/d/link"))).hasToString("new");
            assertThat(path(name + "/d/was-link")).hasContent("new\n");
            assertThat(path(name + "/d/other")).hasContent("other\n");
        }
        assertThat(path("o")).as("what a replaced link led to").hasContent("o\n");
    }

    @Test
    void aFileIsNoTree() throws Exception {
        Path file = Files.writeString(path("file"), "content");
        ExecChannel channel = server.client.start("export", file.toString());
        assertThat(text(channel.output())).isEqualTo("fcontent");
        assertThat(status(channel)).isZero();
        assertThat(errors(server.client.start("export", path("none").toString())))
                .contains("cannot read " + path("none") + ": No such file");
    }

    @Test
    void aTreeWithSomethingElseIsRefused() throws Exception {
        Path tree = Files.createDirectory(path("tree"));
        shell(tree, "mkfifo pipe");

        ExecChannel out = server.client.start("export", tree.toString());
        assertThatThrownBy(() -> {
                    assertThat(out.output().read()).isEqualTo('d');
                    Tree.read(out.output(), path("copy"));
                })
                .isInstanceOf(EOFException.class);
        assertThat(errors(out)).contains("cannot copy " + tree + "/pipe, which is neither a file");

        assertThatThrownBy(() -> send(tree, path("copy")))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContainingAll(tree + "/pipe", "neither a file nor a directory");
    }

    @Test
    void aRefusalReachesTheWriterOfMoreThanTheServerHolds() throws Exception {
        Path tree = Files.createDirectory(path("tree"));
        Files.writeString(tree.resolve("f"), "file");
        Files.write(tree.resolve("long"), new byte[4 * ChannelStreams.Output.WINDOW]);
        Files.createDirectories(path("copy/f"));

        ExecChannel channel = server.client.start("import", path("copy").toString());
        assertThatThrownBy(() -> Tree.write(tree, channel.input())).hasMessage("Broken pipe");
        assertThat(errors(channel)).contains("cannot replace " + path("copy/f") + ": Is a directory");
    }

    @Test
    void aPlaceThatIsTakenIsNamed() throws Exception {
        Path tree = path("tree");
        Files.createDirectories(tree.resolve("d"));
        Files.writeString(tree.resolve("f"), "file");
        Files.createDirectories(path("copy/f"));

        assertThat(errors(send(tree, path("copy")))).contains("cannot replace " + path("copy/f") + ": Is a directory");
        assertThatThrownBy(() -> fetch(tree, path("copy")))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining(path("copy/f") + ": a directory has the name of the file");

        Files.delete(path("copy/f"));
        Files.delete(path("copy/d"));
        Files.createSymbolicLink(path("copy/d"), Files.createDirectory(path("elsewhere")));
        assertThat(errors(send(tree, path("copy")))).contains(path("copy/d") + ": it is a symbolic link");
        assertThatThrownBy(() -> fetch(tree, path("copy"))).isInstanceOf(FileSystemException.class);
    }

    private static String string(String text) {
        return "\0\0\0" + (char) text.length() + text;
    }

    /** A node may send anything. */
    @ParameterizedTest
    @ValueSource(strings = {"..", ".", "", "a/b", "/etc", "a\0b"})
    void noNameLeadsOutOfTheTree(String name) throws Exception {
        String tree = string("") + string("755") + "f" + string(name) + string("644") + string("x") + string("") + ".";

        assertThatThrownBy(() -> Tree.read(new ByteArrayInputStream(tree.getBytes(ISO_8859_1)), path("copy")))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("the node sent ");
        ExecChannel channel = server.client.start("import", path("sent").toString());
        write(channel, ("d" + tree).getBytes(ISO_8859_1)).get();
        assertThat(status(channel)).isNotZero();

        assertThat(path("copy")).isEmptyDirectory();
        assertThat(path("sent")).isEmptyDirectory();
    }

    @Test
    void aTreeThatEndsInItsMiddleIsAnError() throws Exception {
        String begin = "d" + string("") + string("755") + "f" + string("f") + string("644") + string("half");
        ExecChannel channel = server.client.start("import", path("sent").toString());
        write(channel, begin.getBytes(ISO_8859_1)).get();
        assertThat(status(channel)).isNotZero();

        assertThatThrownBy(() ->
                        Tree.read(new ByteArrayInputStream(begin.substring(1).getBytes(ISO_8859_1)), path("copy")))
                .isInstanceOf(EOFException.class);
        String endless = string("") + string("755") + "f" + string("f") + string("644") + "\u007f\u00ff\u00ff\u00ff";
        assertThatThrownBy(() -> Tree.read(new ByteArrayInputStream(endless.getBytes(ISO_8859_1)), path("copy")))
                .hasMessageContaining("bytes at once");
    }
}
