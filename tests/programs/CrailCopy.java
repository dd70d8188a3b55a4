// SPDX-License-Identifier: Apache-2.0

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.conf.CrailConfiguration;

/** Copies a file into Crail or out of Crail; crail.sh compiles and runs this program. */
final class CrailCopy {
    private CrailCopy() {}

    /** Arguments: {@code in FILE NAME} or {@code out NAME FILE}. */
    public static void main(String[] arguments) throws Exception {
        CrailStore store = CrailStore.newInstance(CrailConfiguration.createConfigurationFromFile());
        if (arguments[0].equals("in")) {
            in(store, Path.of(arguments[1]), arguments[2]);
        } else {
            out(store, arguments[1], Path.of(arguments[2]));
        }
        store.close();
        System.exit(0);
    }

    private static void in(CrailStore store, Path file, String name) throws Exception {
        var created = store.create(
                        name, CrailNodeType.DATAFILE, CrailStorageClass.DEFAULT, CrailLocationClass.DEFAULT, true)
                .get()
                .asFile();
        try (OutputStream stream = created.getBufferedOutputStream(Files.size(file))) {
            Files.copy(file, stream);
        }
    }

    private static void out(CrailStore store, String name, Path file) throws Exception {
        var found = store.lookup(name).get().asFile();
        try (InputStream stream = found.getBufferedInputStream(found.getCapacity())) {
            Files.copy(stream, file);
        }
    }
}
