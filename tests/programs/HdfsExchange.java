// SPDX-License-Identifier: Apache-2.0

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/** {@code cluster PORT DIRECTORY} is a name node and a data node; {@code client PORT} writes a file of 1 MB and reads it again. */
public final class HdfsExchange {
    private static final int BYTES = 1 << 20;

    private HdfsExchange() {}

    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[1]);
        if (arguments[0].equals("cluster")) {
            new MiniDFSCluster.Builder(new Configuration(), new File(arguments[2]))
                    .nameNodePort(port)
                    .numDataNodes(1)
                    .build()
                    .waitActive();
            System.out.println("the cluster serves");
        } else {
            exchange("hdfs://127.0.0.1:" + port);
        }
    }

    private static void exchange(String cluster) throws IOException {
        Configuration configuration = new Configuration();
        configuration.set("fs.defaultFS", cluster);
        byte[] bytes = new byte[BYTES];
        new Random(1).nextBytes(bytes);
        Path file = new Path("/bytes");
        try (FileSystem files = FileSystem.get(configuration)) {
            try (OutputStream out = files.create(file)) {
                out.write(bytes);
            }
            try (InputStream in = files.open(file)) {
                if (!Arrays.equals(bytes, in.readAllBytes())) {
                    throw new AssertionError("the file differs");
                }
            }
        }
        System.out.println(BYTES + " bytes are equal");
    }
}
