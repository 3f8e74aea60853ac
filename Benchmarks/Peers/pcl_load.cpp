// Loads a PCD file with the Point Cloud Library, over and over.
//
//     pcl_load FILE
//
// serves runs (see pace.h).
#include <pcl/io/pcd_io.h>
#include <pcl/point_types.h>

#include "pace.h"

static void load(void *context) {
    pcl::PointCloud<pcl::PointXYZ> cloud;
    if (pcl::io::loadPCDFile(static_cast<const char *>(context), cloud) != 0 || cloud.empty()) exit(1);
}

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: pcl_load FILE\n");
        return 2;
    }
    load(arguments[1]);
    return serve_runs(load, arguments[1]);
}
